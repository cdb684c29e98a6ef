# Makes the wrappers of a platform from its table: awk -v platform=cuda -f generate.awk cuda.table
#
# A line of a table is: KIND NAME RETURNS ARGUMENTS...
#   use      not wrapped, only called by us
#   special  the wrapper is written by hand in PLATFORM.c
#   sign     may be the first call of a request: see sign.c
#   others   the wrapper calls PLATFORM_before_KIND, the driver, and PLATFORM_after_KIND:
#            launch for what puts work on a stream, sync for what waits, poll for what asks, and what a
#            platform needs
# A line "hooks events" has it call those of events.c instead, with PLATFORM_driver.
# NAME may end in * for a function that has a twin NAME_ptsz, in + for one with a twin NAME_ptds, or in
# ^ for one with a twin NAME_spt; in these, no stream means the calling thread's own.
# RETURNS is i (0 is success) or p (NULL is failure). ARGUMENTS are one each:
#   i int, u unsigned, l uint64_t, z size_t, p pointer, s the stream, e where an event is put,
#   b whether the call waits for the work (unsigned), d, t, x a struct of by_value.h, cN pointer to a struct with the stream at byte N
# A capital tells that the argument says what is launched, so that calls that agree in these take about
# the same time: the kernel and its size. Of a struct these are the first three words.
#
# With -v part=h it prints the declarations, else the definitions.

function type_of(letter)
{
    if (letter == "i") return "int"
    if (letter == "u" || letter == "b") return "unsigned"
    if (letter == "l") return "uint64_t"
    if (letter == "z") return "size_t"
    if (letter == "e") return "void **"
    if (letter == "d") return "struct xshim_dim3"
    if (letter == "t") return "struct xshim_pitched"
    if (letter == "x") return "struct xshim_extent"
    if (letter == "p" || letter == "s" || letter ~ /^c[0-9]+$/) return "void *"
    printf "%s:%d: no such argument: %s\n", FILENAME, FNR, letter > "/dev/stderr"
    failed = 1
    return "void *"
}

/^#/ || NF == 0 { next }
$1 == "hooks" { hooks = $2; next }

{
    name = $2
    twin = name ~ /\*$/ ? "_ptsz" : name ~ /\+$/ ? "_ptds" : name ~ /\^$/ ? "_spt" : ""
    sub(/[*+^]$/, "", name)
    add($1, name, "NO_STREAM")
    if (twin != "") add($1, name twin, "OWN_STREAM")
}

function add(kind, name, no_stream,    returns, parameters, values, values_given, stream, event, blocking, what, i)
{
    returns = $3 == "p" ? "void *" : "int "
    parameters = values = values_given = ""
    stream = toupper(platform) "_" no_stream "(NULL)"
    event = "NULL"
    blocking = "0"
    what = "at_" name
    for (i = 4; i <= NF; i++) {
        comma = i > 4 ? ", " : ""
        argument = "a" i - 3
        letter = tolower($i)
        type = type_of(letter)
        if (letter != $i) {
            what = letter ~ /^c/ ? argument " == NULL ? 0 : xshim_mix(xshim_mix(" what ", *(uint64_t *)" argument "), *(uint32_t *)((char *)" argument " + 8))" \
                 : letter == "d" ? "xshim_mix(xshim_mix(" what ", " argument ".x), (uint64_t)" argument ".y << 32 | " argument ".z)" \
                                 : "xshim_mix(" what ", (uint64_t)" (type ~ /\*$/ ? "(uintptr_t)" : "") argument ")"
        }
        parameters = parameters comma type (type ~ /\*$/ ? "" : " ") argument
        values = values comma (letter == "e" ? "call.event" : argument)
        values_given = values_given comma argument
        if (letter == "s") stream = toupper(platform) "_" no_stream "(" argument ")"
        if (letter ~ /^c/) stream = toupper(platform) "_" no_stream "(" argument " == NULL ? NULL : *(void **)((char *)" argument " + " substr(letter, 2) "))"
        if (letter == "e") event = argument
        if (letter == "b") blocking = argument
    }
    if (parameters == "") parameters = "void"
    if (part == "h") {
        indices = indices "    at_" name ",\n"
        types = types sprintf("typedef %s(*%s_f)(%s);\n", returns, name, parameters)
        if (kind != "use") types = types sprintf("%s%s(%s);\n", returns, name, parameters)
        return
    }
    entries = entries sprintf("    [at_%s] = {\"%s\", %s, NULL},\n", name, name,
                              kind == "use" ? "NULL" : "(void *)" name)
    if (kind == "use" || kind == "special") return
    if (kind == "sign") {
        wrappers = wrappers sprintf("\nEXPORTED %s%s(%s)\n{\n    %s_f real = REAL(%s, %s);\n" \
            "    xshim_heed_sign();\n    return real == NULL ? %s : real(%s);\n}\n",
            returns, name, parameters, name, platform, name, toupper(platform) "_NO_DRIVER", values_given)
        return
    }
    prefix = hooks == "" ? platform : hooks
    driver = hooks == "" ? "" : "&" platform "_driver, "
    more = (hooks == "" ? ", " event ", " blocking : "") (kind == "launch" ? ", " what : "")
    wrappers = wrappers sprintf("\nEXPORTED %s%s(%s)\n{\n" \
        "    %s_f real = REAL(%s, %s);\n    struct xshim_call call;\n" \
        "    if (real == NULL) {\n        return %s;\n    }\n" \
        "    if (%s_CALLS_ITSELF(real)) {\n        return real(%s);\n    }\n" \
        "    %s_before_%s(%s&call, %s%s);\n" \
        "    %sresult = real(%s);\n    %s_after_%s(%s&call, %s);\n    return result;\n}\n",
        returns, name, parameters, name, platform, name,
        $3 == "p" ? "NULL" : toupper(platform) "_NO_DRIVER",
        toupper(platform), values_given, prefix, kind, driver, stream, more,
        returns, values, prefix, kind, driver, $3 == "p" ? "result != NULL" : "result == 0")
}

END {
    if (failed) exit 1
    print "/* Made from " platform ".table by generate.awk. */"
    if (part == "h") {
        print "#include <stddef.h>\n#include <stdint.h>\n\n#include \"by_value.h\"\n"
        print "enum {\n" indices "    " toupper(platform) "_FUNCTIONS\n};\n"
        print types
    } else {
        print wrappers
        print "struct xshim_function " platform "_functions[" toupper(platform) "_FUNCTIONS] = {"
        print entries "};"
    }
}

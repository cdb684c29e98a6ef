# Makes the wrappers of a platform from its table: awk -v platform=cuda -f generate.awk cuda.table
#
# A line of a table is: KIND NAME RETURNS ARGUMENTS...
#   launch   the call puts work on a stream: gate before, count after
#   sync     the call waits for a stream, or, without one, for events or everything: never gated
#   special  the wrapper is written by hand in PLATFORM.c
#   use      not wrapped, only called by us
# RETURNS is i (0 is success) or p (NULL is failure). ARGUMENTS are one letter each:
#   i int, u unsigned, l uint64_t, z size_t, p pointer, s the stream, e where an event is put,
#   b whether the call waits for the work (unsigned)
#
# With -v part=h it prints the declarations, else the definitions.

function type_of(letter)
{
    if (letter == "i") return "int"
    if (letter == "u" || letter == "b") return "unsigned"
    if (letter == "l") return "uint64_t"
    if (letter == "z") return "size_t"
    if (letter == "e") return "void **"
    if (letter == "p" || letter == "s") return "void *"
    printf "%s:%d: no such argument: %s\n", FILENAME, FNR, letter > "/dev/stderr"
    failed = 1
    return "void *"
}

/^#/ || NF == 0 { next }

{
    kind = $1
    name = $2
    returns = $3 == "p" ? "void *" : "int "
    parameters = values = call = ""
    stream = event = "NULL"
    blocking = "0"
    for (i = 4; i <= NF; i++) {
        comma = i > 4 ? ", " : ""
        type = type_of($i)
        parameters = parameters comma type (type ~ /\*$/ ? "" : " ") "a" i - 3
        values = values comma ($i == "e" ? "call.event" : "a" i - 3)
        if ($i == "s") stream = "a" i - 3
        if ($i == "e") event = "a" i - 3
        if ($i == "b") blocking = "a" i - 3
    }
    if (parameters == "") parameters = "void"
    count++
    if (part == "h") {
        indices = indices "    at_" name ",\n"
        types = types sprintf("typedef %s(*%s_f)(%s);\n", returns, name, parameters)
        if (kind != "use") types = types sprintf("%s%s(%s);\n", returns, name, parameters)
        next
    }
    entries = entries sprintf("    [at_%s] = {\"%s\", %s, NULL},\n", name, name,
                              kind == "use" ? "NULL" : "(void *)" name)
    if (kind == "launch" || kind == "sync") {
        before = kind == "launch" ? sprintf("%s_before(&call, %s, %s, %s)", platform, stream, event, blocking) \
                                  : sprintf("%s_before_sync(&call, %s)", platform, stream)
        after = kind == "launch" ? platform "_after" : platform "_after_sync"
        wrappers = wrappers sprintf("\n__attribute__((visibility(\"default\"))) %s%s(%s)\n{\n" \
            "    %s_f real = REAL(%s, %s);\n    struct xshim_call call;\n" \
            "    if (real == NULL) {\n        return %s;\n    }\n    %s;\n" \
            "    %sresult = real(%s);\n    %s(&call, %s);\n    return result;\n}\n",
            returns, name, parameters, name, platform, name,
            $3 == "p" ? "NULL" : toupper(platform) "_NO_DRIVER", before,
            returns, values, after, $3 == "p" ? "result != NULL" : "result == 0")
    }
}

END {
    if (failed) exit 1
    print "/* Made from " platform ".table by generate.awk. */"
    if (part == "h") {
        print "#include <stddef.h>\n#include <stdint.h>\n"
        print "enum {\n" indices "    " toupper(platform) "_FUNCTIONS\n};\n"
        print types
    } else {
        print wrappers
        print "struct xshim_function " platform "_functions[" toupper(platform) "_FUNCTIONS] = {"
        print entries "};"
    }
}

# Makes from the table of the CUDA platform (see native/shim/generate.awk for the letters):
#   -v part=driver   the functions of the stand-in driver that do no more than their kind says;
#                    -v without=REGEX leaves some out, as older drivers do
#   -v part=callers  for each function how to call it with arguments from an array, by a pointer and
#                    as who is linked with the driver does

function type_of(letter)
{
    if (letter == "i") return "int"
    if (letter == "u" || letter == "b") return "unsigned"
    if (letter == "l") return "uint64_t"
    if (letter == "z") return "size_t"
    return "void *"
}

/^#/ || NF == 0 { next }

{
    name = $2
    twin = name ~ /\*$/ ? "_ptsz" : name ~ /\+$/ ? "_ptds" : ""
    sub(/[*+]$/, "", name)
    add($1, name, "LEGACY")
    if (twin != "") add($1, name twin, "PER_THREAD")
}

function add(kind, name, no_stream,    types, parameters, values, passed, stream, letters, i)
{
    if (without != "" && name ~ without) return
    types = parameters = values = passed = letters = ""
    stream = "NULL"
    for (i = 4; i <= NF; i++) {
        comma = i > 4 ? ", " : ""
        argument = "a" i - 3
        letter = tolower($i)
        type = type_of(letter)
        types = types comma type
        parameters = parameters comma type (type ~ /\*$/ ? "" : " ") argument
        values = values comma (type ~ /\*$/ ? "(uint64_t)" : type == "int" ? "(unsigned)" : "") argument
        passed = passed comma "(" type ")a[" i - 4 "]"
        letters = letters substr(letter, 1, 1)
        if (letter == "s") stream = argument
        if (letter ~ /^c/) stream = argument " == NULL ? NULL : *(void **)((char *)" argument " + " substr(letter, 2) ")"
    }
    if (parameters == "") types = parameters = "void"
    prototypes = prototypes sprintf("int %s(%s);\n", name, parameters)
    exported = exported sprintf("    {\"%s\", (void *)%s},\n", name, name)
    entries = entries sprintf("    {\"%s\", \"%s\", \"%s\", call_%s, link_%s},\n", name, kind, letters,
                              name, name)
    callers = callers sprintf("static int call_%s(void *function, const uint64_t *a)\n{\n" \
        "    (void)a;\n    return ((int (*)(%s))function)(%s);\n}\n" \
        "static int link_%s(const uint64_t *a)\n{\n    (void)a;\n    return %s(%s);\n}\n",
        name, types, passed, name, name, passed)
    if (kind == "use" || kind == "special") return
    functions = functions sprintf("EXPORTED int %s(%s)\n{\n    ENTER(%s);\n" \
        "    return leave(standin_%s(__func__, %s, %s, (const uint64_t[]){%s}));\n}\n",
        name, parameters, values == "" ? "0" : values, kind, stream, no_stream,
        values == "" ? "0" : values)
}

END {
    print "/* Made from the table by generate.awk. */"
    print prototypes
    if (part == "driver") {
        print functions
        print "static const struct function exported[] = {\n" exported "};"
    } else {
        print callers
        print "const struct entry entries[] = {\n" entries "    {NULL, NULL, NULL, NULL, NULL}};"
    }
}

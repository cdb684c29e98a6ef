# Makes from the table of CUDA or HIP (see native/shim/generate.awk for the letters):
#   -v part=driver   the functions of the stand-in driver that do no more than their kind says;
#                    -v without=REGEX leaves some out, as older drivers do
#   -v part=functions  the same without a list of their names; with a file of slots before the table,
#                    what is called is in a table that others may change
#   -v part=callers  for each function how to call it with arguments from an array, by a pointer and
#                    as who is linked with the driver does

function type_of(letter)
{
    if (letter == "i") return "int"
    if (letter == "u" || letter == "b") return "unsigned"
    if (letter == "l") return "uint64_t"
    if (letter == "z") return "size_t"
    if (letter == "d") return "struct xshim_dim3"
    if (letter == "t") return "struct xshim_pitched"
    if (letter == "x") return "struct xshim_extent"
    return "void *"
}

FILENAME ~ /slots/ {
    if (split($0, word, /[(), ]+/) > 3 && word[2] == "SLOT") slots[word[3]] = word[4]
    next
}
/^#/ || NF == 0 || $1 == "hooks" { next }

{
    name = $2
    twin = name ~ /\*$/ ? "_ptsz" : name ~ /\+$/ ? "_ptds" : name ~ /\^$/ ? "_spt" : ""
    sub(/[*+^]$/, "", name)
    add($1, name, "LEGACY")
    if (twin != "") add($1, name twin, "PER_THREAD")
}

function add(kind, name, no_stream,    types, parameters, values, passed, stream, letters, given, i)
{
    if (without != "" && name ~ without) return
    types = parameters = values = passed = letters = given = ""
    stream = "NULL"
    for (i = 4; i <= NF; i++) {
        comma = i > 4 ? ", " : ""
        argument = "a" i - 3
        letter = tolower($i)
        type = type_of(letter)
        types = types comma type
        parameters = parameters comma type (type ~ /\*$/ ? "" : " ") argument
        by_value = letter ~ /^[dtx]$/
        values = values comma (by_value ? "packed_" letter "(" argument ")" : \
            (type ~ /\*$/ ? "(uint64_t)" : type == "int" ? "(unsigned)" : "") argument)
        passed = passed comma (by_value ? "unpacked_" letter "(" : "(" type ")(") "a[" i - 4 "])"
        given = given comma argument
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
    if (kind == "use" || kind == "special" || kind == "sign") return
    in_table = name in slots
    functions = functions sprintf("%s%s(%s)\n{\n    ENTER_AS(\"%s\", %s);\n" \
        "    return leave(standin_%s(\"%s\", %s, %s, (const uint64_t[]){%s}));\n}\n",
        in_table ? "static int real_" : "EXPORTED int ", name, parameters, name,
        values == "" ? "0" : values, kind, name, stream, no_stream, values == "" ? "0" : values)
    if (!in_table) return
    functions = functions sprintf("EXPORTED int %s(%s)\n{\n" \
        "    return ((int (*)(%s))in_table(%d))(%s);\n}\n", name, parameters, types, slots[name], given)
    filled = filled sprintf("    table[1 + %d] = (void *)real_%s;\n", slots[name], name)
}

END {
    print "/* Made from the table by generate.awk. */"
    print prototypes
    if (part == "functions") {
        print functions
        print "void fill_table(void **table)\n{\n    (void)table;\n" filled "}"
    } else if (part == "driver") {
        print functions
        print "static const struct function exported[] = {\n" exported "};"
    } else {
        print callers
        print "const struct entry entries[] = {\n" entries "    {NULL, NULL, NULL, NULL, NULL}};"
    }
}

# Makes from the table of HIP what signatures.cpp compares with the real headers:
#   awk -f signatures.awk newer-than-5.2.txt declarations shim/hip.table
# Of the declarations, that is the preprocessed header, only names are read. What is not declared has
# to be in the list of what came later.

FILENAME ~ /newer-than/ { newer[$1] = 1; next }

FILENAME !~ /\.table$/ {
    line = $0
    while (match(line, /hip[A-Za-z0-9_]+ *\(/)) {
        name = substr(line, RSTART, RLENGTH - 1)
        sub(/ +$/, "", name)
        declared[name] = 1
        line = substr(line, RSTART + RLENGTH)
    }
    next
}

/^#/ || NF == 0 || $1 == "hooks" || $2 ~ /^_Z/ { next } # a C++ name says its arguments itself

{
    name = $2
    twin = sub(/\^$/, "", name)
    check(name)
    if (twin) check(name "_spt")
}

function check(name,    letters, i)
{
    if (!(name in declared)) {
        if (!(name in newer)) {
            print "hip.table: " name " is in no header, and not known to be newer" > "/dev/stderr"
            failed = 1
        }
        return
    }
    for (i = 4; i <= NF; i++) letters = letters substr(tolower($i), 1, 1)
    print "MATCHES(" name ", \"" letters "\")"
}

END { exit failed }

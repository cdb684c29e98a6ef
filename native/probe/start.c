/*
 * The compiler's own start code asks for the newest __libc_start_main, which glibc 2.31 to 2.33 lack;
 * the first one is still there, and does the same for a program without constructors.
 */
#if defined(__x86_64__)
__asm__(".symver __libc_start_main,__libc_start_main@GLIBC_2.2.5\n"
        ".text\n"
        ".globl _start\n"
        ".type _start, @function\n"
        "_start:\n"
        "    xor %ebp, %ebp\n"
        "    mov %rdx, %r9\n" /* what the dynamic linker wants to be called at the end */
        "    pop %rsi\n"
        "    mov %rsp, %rdx\n"
        "    and $-16, %rsp\n"
        "    push %rax\n"
        "    push %rsp\n"
        "    xor %r8d, %r8d\n"
        "    xor %ecx, %ecx\n"
        "    lea main(%rip), %rdi\n"
        "    call *__libc_start_main@GOTPCREL(%rip)\n"
        "    hlt\n"
        ".size _start, .-_start\n");
#elif defined(__aarch64__)
__asm__(".symver __libc_start_main,__libc_start_main@GLIBC_2.17\n"
        ".text\n"
        ".globl _start\n"
        ".type _start, %function\n"
        "_start:\n"
        "    mov x29, #0\n"
        "    mov x30, #0\n"
        "    mov x5, x0\n"
        "    ldr x1, [sp]\n"
        "    add x2, sp, #8\n"
        "    mov x6, sp\n"
        "    adrp x0, main\n"
        "    add x0, x0, :lo12:main\n"
        "    mov x3, #0\n"
        "    mov x4, #0\n"
        "    bl __libc_start_main\n"
        "    brk #1\n"
        ".size _start, .-_start\n");
#else
#error "a program's start has to be written for this processor"
#endif

/*
 * Nobody may write to these pages: who does gets a signal, in which it is allowed for one instruction,
 * and another one after that, in which we see what was written and forbid it again.
 */
#include "doorbells.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef __x86_64__

#define TRAP_FLAG 0x100

#define PAGES 4

static struct page {
    char *memory;
    size_t size;
    uint32_t number;
    doorbells_f rung;
} pages[PAGES];
static int page_count;

static uint32_t writing; /* one at a time: the page is open for all of them meanwhile */
static struct page *written;
static size_t offset_written;
static struct sigaction others;

static struct page *page_with(const char *address)
{
    for (struct page *page = pages; page < pages + page_count; page++) {
        if (address >= page->memory && address < page->memory + page->size) {
            return page;
        }
    }
    return NULL;
}

static void before(int signal, siginfo_t *about, void *context)
{
    struct page *page = page_with(about->si_addr);
    if (page == NULL) {
        sigaction(signal, &others, NULL); /* it comes again */
        return;
    }
    while (__atomic_exchange_n(&writing, 1, __ATOMIC_ACQUIRE) != 0) {
    }
    written = page;
    offset_written = (size_t)((char *)about->si_addr - page->memory);
    mprotect(page->memory, page->size, PROT_READ | PROT_WRITE);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void after(int signal, siginfo_t *about, void *context)
{
    (void)signal;
    (void)about;
    struct page *page = written;
    size_t offset = offset_written;
    uint32_t value = *(volatile uint32_t *)(page->memory + offset);
    mprotect(page->memory, page->size, PROT_READ);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    __atomic_store_n(&writing, 0, __ATOMIC_RELEASE);
    page->rung(page->number, offset, value);
}

static void catch_writes(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = before;
    sigaction(SIGSEGV, &action, &others);
    action.sa_sigaction = after;
    sigaction(SIGTRAP, &action, NULL);
}

/* Threads of the library have all signals blocked. */
static void let_signals_in(void)
{
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGSEGV);
    sigaddset(&ours, SIGTRAP);
    pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
}

void *doorbells_map(uint32_t number, size_t size, doorbells_f rung)
{
    void *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || page_count == PAGES) {
        return NULL;
    }
    if (page_count == 0) {
        catch_writes();
    }
    let_signals_in();
    pages[page_count++] = (struct page){memory, size, number, rung};
    return memory;
}

#else

void *doorbells_map(uint32_t number, size_t size, doorbells_f rung)
{
    (void)number;
    (void)size;
    (void)rung;
    return NULL;
}

#endif

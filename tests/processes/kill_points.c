/* Kills a program, with the processes that it has started, when it is about to make its Nth call that changes files.

   become_traced() is called in the forked child, and run_until() in its parent. A filter of the kernel stops the
   child at such calls alone, so that it runs almost as fast as otherwise. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* As in <linux/ptrace.h>, which cannot be included beside <sys/ptrace.h>. */
struct call {
    uint8_t kind;
    uint8_t padding[3];
    uint32_t architecture;
    uint64_t instruction, stack, number, arguments[6];
    uint32_t data;
};

static const int CHANGING[] = {
    SYS_openat, SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_fsync, SYS_fdatasync, SYS_renameat,
    SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_unlinkat, SYS_ftruncate, SYS_truncate, SYS_fallocate, SYS_mkdirat,
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_copy_file_range, SYS_sendfile,
#ifdef SYS_open
    SYS_open, SYS_creat, SYS_rename, SYS_link, SYS_symlink, SYS_unlink, SYS_mkdir, SYS_rmdir, SYS_chmod, SYS_chown,
    SYS_utimes,
#endif
};
#define NUMBER_OF_KINDS (sizeof CHANGING / sizeof *CHANGING)

int become_traced(void) {
    struct sock_filter filter[NUMBER_OF_KINDS + 3];
    size_t last = NUMBER_OF_KINDS + 2;
    filter[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < NUMBER_OF_KINDS; i++)
        filter[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CHANGING[i], last - i - 2, 0);
    filter[last - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[last] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog program = {last + 1, filter};
    if (ptrace(PTRACE_TRACEME, 0, 0, 0))
        return errno;
    raise(SIGSTOP);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return errno;
    return 0;
}

/* Whether it is a file of a file system, not a terminal, a pipe or a socket. */
static int is_of_file(pid_t thread, int descriptor) {
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/%d/fd/%d", thread, descriptor);
    ssize_t length = readlink(name, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return path[0] == '/' && strncmp(path, "/dev/pts", 8) && strncmp(path, "/dev/null", 9) && strncmp(path, "/proc/", 6);
}

static int changes_files(pid_t thread, const struct call *call) {
    const int writing = O_CREAT | O_TRUNC;
    switch (call->number) {
    case SYS_openat:
        return (call->arguments[2] & writing) || (call->arguments[2] & O_TMPFILE) == O_TMPFILE;
#ifdef SYS_open
    case SYS_open:
        return (call->arguments[1] & writing) != 0;
#endif
    case SYS_write:
    case SYS_writev:
    case SYS_sendfile:
        return is_of_file(thread, call->arguments[0]);
    }
    return 1;
}

/* How often the child and the processes that it has started made such calls. If the Nth is reached, `last` is the
   number of that call and all are killed before it; else `last` is -1 and `status` is that of the child. A negative
   result is an error. */
int run_until(pid_t child, int nth, int *last, int *status) {
    int stopped, count = 0, is_killed = 0;
    *last = -1;
    if (waitpid(child, &stopped, 0) != child || !WIFSTOPPED(stopped))
        return -1;
    long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
                   | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, child, 0, options) || ptrace(PTRACE_CONT, child, 0, 0))
        return -1;
    for (;;) {
        pid_t thread = waitpid(-1, &stopped, __WALL);
        if (thread < 0)
            return errno == ECHILD ? count : -1;
        if (!WIFSTOPPED(stopped)) {
            if (thread == child)
                *status = stopped;
            continue;
        }
        if (is_killed) {
            kill(thread, SIGKILL);
            ptrace(PTRACE_CONT, thread, 0, 0);
            continue;
        }
        int signal = WSTOPSIG(stopped), event = stopped >> 16;
        if (signal == SIGTRAP && event == PTRACE_EVENT_SECCOMP) {
            struct call call;
            if (ptrace(0x420e, thread, sizeof call, &call) > 0 && changes_files(thread, &call) && ++count == nth) {
                *last = call.number;
                is_killed = 1;
                kill(child, SIGKILL);
                kill(thread, SIGKILL);
                continue;
            }
        }
        ptrace(PTRACE_CONT, thread, 0, event || signal == SIGSTOP ? 0 : signal);
    }
}

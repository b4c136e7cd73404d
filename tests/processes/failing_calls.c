/* Lets one system call on the files of a folder fail with EIO, as on a broken disk. Loaded with LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[4096];
static long calls_left = -1;
static char failed[64];

/* The call of this number from now on fails, for files whose names begin with `prefix`; 0 for none. */
void fail_call(const char *prefix, long number) {
    strncpy(folder, prefix, sizeof folder - 1);
    failed[0] = 0;
    calls_left = number ? number : -1;
}

/* The name of the call that has failed, blank for none. */
const char *failed_call(void) { return failed; }

static int fails_at(const char *path, const char *call) {
    if (calls_left <= 0 || path == NULL || strncmp(path, folder, strlen(folder)) != 0) return 0;
    if (--calls_left != 0) return 0;
    snprintf(failed, sizeof failed, "%s", call);
    errno = EIO;
    return 1;
}

static int fails_on(int descriptor, const char *call) {
    char link[64], path[4096];
    if (calls_left <= 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlink, link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails_at(path, call);
}

#define NEXT(name) static __typeof__(name) *next; if (!next) next = dlsym(RTLD_NEXT, #name)
#define ON(type, name, parameters, descriptor, ...)                                   \
    type name parameters { NEXT(name); return fails_on(descriptor, #name) ? (type)-1 : next(__VA_ARGS__); }
#define AT(type, name, parameters, path, ...)                                         \
    type name parameters { NEXT(name); return fails_at(path, #name) ? (type)-1 : next(__VA_ARGS__); }

ON(ssize_t, read, (int d, void *b, size_t n), d, d, b, n)
ON(ssize_t, pread64, (int d, void *b, size_t n, off64_t o), d, d, b, n, o)
ON(ssize_t, write, (int d, const void *b, size_t n), d, d, b, n)
ON(ssize_t, pwrite64, (int d, const void *b, size_t n, off64_t o), d, d, b, n, o)
ON(int, ftruncate64, (int d, off64_t n), d, d, n)
ON(int, fsync, (int d), d, d)
ON(int, fdatasync, (int d), d, d)
ON(int, flock, (int d, int o), d, d, o)
ON(int, fchmod, (int d, mode_t m), d, d, m)
ON(int, fchown, (int d, uid_t u, gid_t g), d, d, u, g)
ON(int, fstat64, (int d, struct stat64 *s), d, d, s)
AT(int, stat64, (const char *p, struct stat64 *s), p, p, s)
AT(int, lstat64, (const char *p, struct stat64 *s), p, p, s)
AT(int, fstatat64, (int d, const char *p, struct stat64 *s, int f), p, d, p, s, f)
AT(int, statvfs64, (const char *p, struct statvfs64 *s), p, p, s)
AT(int, truncate64, (const char *p, off64_t n), p, p, n)
AT(int, unlink, (const char *p), p, p)
AT(int, mkdir, (const char *p, mode_t m), p, p, m)
AT(int, rmdir, (const char *p), p, p)
AT(int, chmod, (const char *p, mode_t m), p, p, m)
AT(int, chown, (const char *p, uid_t u, gid_t g), p, p, u, g)
AT(int, access, (const char *p, int m), p, p, m)
AT(int, rename, (const char *p, const char *q), p, p, q)
AT(int, link, (const char *p, const char *q), p, p, q)

static mode_t mode_of(int flags, va_list rest) {
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return fails_at(path, "open64") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return fails_at(path, "open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

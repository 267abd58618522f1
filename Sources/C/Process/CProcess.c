#define _GNU_SOURCE
#include "CProcess.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int argument_count;
static char **first_argument;

// glibc calls the functions in .init_array with the arguments of main.
__attribute__((constructor)) static void note_arguments(int count, char **arguments) {
    argument_count = count;
    first_argument = arguments;
}

int cprocess_arguments(char ***arguments) {
    *arguments = first_argument;
    return argument_count;
}

struct build_id {
    const unsigned char *bytes;
    size_t size;
};

// The first object is the program.
static int find_build_id(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    struct build_id *id = found;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE) continue;
        const char *note = (const char *)info->dlpi_addr + segment->p_vaddr;
        const char *end = note + segment->p_memsz;
        while ((size_t)(end - note) >= sizeof(ElfW(Nhdr))) {
            const ElfW(Nhdr) *head = (const void *)note;
            size_t name_size = ((size_t)head->n_namesz + 3) & ~(size_t)3;
            size_t content_size = ((size_t)head->n_descsz + 3) & ~(size_t)3;
            if (name_size + content_size > (size_t)(end - note) - sizeof *head) break;
            const char *name = note + sizeof *head;
            if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
                id->bytes = (const unsigned char *)name + name_size;
                id->size = head->n_descsz;
                return 1;
            }
            note = name + name_size + content_size;
        }
    }
    return 1;
}

const unsigned char *cprocess_build_id(size_t *size) {
    struct build_id id = {NULL, 0};
    dl_iterate_phdr(find_build_id, &id);
    *size = id.size;
    return id.bytes;
}

// Returns a file in memory with the bytes, or -1 with errno.
static int memory_file(const char *bytes, size_t size) {
    int file = memfd_create("input", MFD_CLOEXEC);
    if (file < 0) return -1;
    for (size_t done = 0; done < size;) {
        ssize_t count = write(file, bytes + done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            int code = errno;
            close(file);
            errno = code;
            return -1;
        }
        done += (size_t)count;
    }
    lseek(file, 0, SEEK_SET);
    return file;
}

static int set_files(posix_spawn_file_actions_t *actions, int input, int output, int errors) {
    int code = input < 0 ? posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0)
                         : posix_spawn_file_actions_adddup2(actions, input, 0);
    if (!code) code = posix_spawn_file_actions_adddup2(actions, output, 1);
    if (!code) code = posix_spawn_file_actions_adddup2(actions, errors, 2);
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    return code;
}

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int code = posix_spawnattr_setsigdefault(attributes, &all);
    if (!code) code = posix_spawnattr_setsigmask(attributes, &none);
    if (!code) code = posix_spawnattr_setpgroup(attributes, 0);
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    if (!code) code = posix_spawnattr_setflags(attributes, flags);
    return code;
}

static int spawn(
    char *const *arguments, char *const *environment, int input, int output, int errors, pid_t *id) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    code = posix_spawnattr_init(&attributes);
    if (!code) {
        code = set_files(&actions, input, output, errors);
        if (!code) code = set_attributes(&attributes);
        if (!code) code = posix_spawnp(id, arguments[0], &actions, &attributes, arguments, environment ? environment : environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int cprocess_start(
    char *const *arguments, char *const *environment, const void *input, size_t input_size, struct cprocess *process) {
    int output[2], errors[2], file = -1;
    if (input_size > 0 && (file = memory_file(input, input_size)) < 0) return errno;
    if (pipe2(output, O_CLOEXEC) != 0) {
        int code = errno;
        if (file >= 0) close(file);
        return code;
    }
    if (pipe2(errors, O_CLOEXEC) != 0) {
        int code = errno;
        if (file >= 0) close(file);
        close(output[0]);
        close(output[1]);
        return code;
    }
    int code = spawn(arguments, environment, file, output[1], errors[1], &process->id);
    if (file >= 0) close(file);
    close(output[1]);
    close(errors[1]);
    if (code) {
        close(output[0]);
        close(errors[0]);
        return code;
    }
    process->output = output[0];
    process->errors = errors[0];
    return 0;
}

void cprocess_yield_to_parent(void) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    // Raising the score needs no privilege (proc(5)).
    ssize_t written = write(file, "800", 3);
    (void)written;
    close(file);
}

int cprocess_limit_data(unsigned long long bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return errno;
    limit.rlim_cur = bytes == 0 || bytes > limit.rlim_max ? limit.rlim_max : bytes;
    return setrlimit(RLIMIT_DATA, &limit) == 0 ? 0 : errno;
}

// Opens a ruleset of several files, asks who is supplied, moves a unit and asks again.
//
//   supply UNIT SPACE FILE.sut...
//
// Calls are written by hand and answers searched for a number, so that the example needs nothing else; a game has a
// reader of JSON at hand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sutler.h"

static uint64_t context;

// Says a call, and ends the program where it is refused.
static char *ask(const char *call) {
  char *answer = sutler_call(context, call, strlen(call));
  if (answer == NULL || strncmp(answer, "{\"ok\":", 6) != 0) {
    fprintf(stderr, "%s\n", answer == NULL ? "no memory" : answer);
    exit(1);
  }
  return answer;
}

// The number behind a name of an answer, which goes back.
static unsigned long number(char *answer, const char *name) {
  const char *found = strstr(answer, name);
  unsigned long value = found == NULL ? 0 : strtoul(found + strlen(name), NULL, 10);
  sutler_free(answer);
  return value;
}

static void show(const char *call) {
  char *answer = ask(call);
  puts(answer);
  sutler_free(answer);
}

static void *must(void *memory) {
  if (memory == NULL) {
    fputs("no memory\n", stderr);
    exit(1);
  }
  return memory;
}

// A file as a text of JSON, in quotes.
static char *quoted(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  size_t length = 0, room = 1024;
  char *text = must(malloc(room));
  text[length++] = '"';
  for (int c; (c = fgetc(file)) != EOF;) {
    if (room - length < 16) text = must(realloc(text, room *= 2));
    if (c < 0x20) length += (size_t)sprintf(text + length, "\\u%04x", c);
    else if (c == '"' || c == '\\') length += (size_t)sprintf(text + length, "\\%c", c);
    else text[length++] = (char)c;
  }
  fclose(file);
  memcpy(text + length, "\"", 2);
  return text;
}

// {"call":"open","texts":{"FILE":"TEXT",...}}
static char *opening(int count, char **paths) {
  char *call = must(strdup("{\"call\":\"open\",\"texts\":{"));
  for (int at = 0; at < count; at++) {
    const char *name = strrchr(paths[at], '/') == NULL ? paths[at] : strrchr(paths[at], '/') + 1;
    char *text = quoted(paths[at]);
    size_t before = strlen(call), more = strlen(name) + strlen(text) + 8;
    call = must(realloc(call, before + more));
    snprintf(call + before, more, "%s\"%s\":%s", at == 0 ? "" : ",", name, text);
    free(text);
  }
  call = must(realloc(call, strlen(call) + 3));
  return strcat(call, "}}");
}

int main(int count, char **words) {
  if (count < 4) {
    fprintf(stderr, "supply UNIT SPACE FILE.sut...\n");
    return 2;
  }
  context = sutler_open();
  char call[512];
  char *open = opening(count - 3, words + 3);
  unsigned long rules = number(ask(open), "\"rules\":");
  free(open);
  snprintf(call, sizeof call, "{\"call\":\"game\",\"rules\":%lu}", rules);
  unsigned long game = number(ask(call), "\"game\":");
  snprintf(call, sizeof call, "{\"call\":\"setup\",\"game\":%lu}", game);
  unsigned long position = number(ask(call), "\"position\":");

  snprintf(call, sizeof call, "{\"call\":\"trace\",\"position\":%lu}", position);
  show(call);
  snprintf(call, sizeof call, "{\"call\":\"move\",\"position\":%lu,\"unit\":\"%s\",\"to\":\"%s\"}", position, words[1], words[2]);
  show(call);
  snprintf(call, sizeof call, "{\"call\":\"explain\",\"position\":%lu,\"of\":\"%s\"}", position, words[1]);
  show(call);
  sutler_close(context);
  return 0;
}

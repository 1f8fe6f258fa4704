// The yardstick of generation in C: the same rules by sprintf into one buffer, names of chains known. Needs `cc`.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const source = `#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv) {
  int services = atoi(argv[1]), endpoints = atoi(argv[2]);
  char *out = malloc((size_t)services * (endpoints + 1) * 400);
  double best = 1e9;
  size_t at = 0;
  for (int round = 0; round < 7; round++) {
    clock_t start = clock();
    at = 0;
    for (int i = 0; i < services; i++) {
      char hash[32];
      int a = 96 + (i >> 16), b = (i >> 8) & 255, c = i & 255;
      sprintf(hash, "ABCDEFGHIJ%06d", 100000 + i);
      at += sprintf(out + at, ":KUBE-SVC-%s - [0:0]\\n", hash);
      at += sprintf(out + at, "-A KUBE-SERVICES -m comment --comment \\"ns-%d/service-%d:http cluster IP\\" -m tcp -p tcp -d 10.%d.%d.%d --dport 80 -j KUBE-SVC-%s\\n", i % 50, i, a, b, c, hash);
      for (int j = 0; j < endpoints; j++) {
        char chain[40];
        sprintf(chain, "KUBE-SEP-%.15s%d", hash, j);
        at += sprintf(out + at, ":%s - [0:0]\\n", chain);
        if (j < endpoints - 1)
          at += sprintf(out + at, "-A KUBE-SVC-%s -m statistic --mode random --probability %.10f -j %s\\n", hash, 1.0 / (endpoints - j), chain);
        else
          at += sprintf(out + at, "-A KUBE-SVC-%s -j %s\\n", hash, chain);
        at += sprintf(out + at, "-A %s -s 10.%d.%d.%d -j KUBE-MARK-MASQ\\n", chain, 200 + j, b, c);
        at += sprintf(out + at, "-A %s -m tcp -p tcp -j DNAT --to-destination 10.%d.%d.%d:8080\\n", chain, 200 + j, b, c);
      }
    }
    double ms = (clock() - start) * 1000.0 / CLOCKS_PER_SEC;
    if (ms < best) best = ms;
  }
  printf("%.3f %zu\\n", best, at);
}
`

/** CPU milliseconds of the C program, the best of seven; `undefined` without a compiler. */
export function measureCText(services: number, endpoints: number): number | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'kw-bench-c-'))
  try {
    writeFileSync(join(dir, 'text.c'), source)
    const program = join(dir, 'text')
    if (spawnSync('cc', ['-O2', '-o', program, join(dir, 'text.c')]).status !== 0) return undefined
    return Number(execFileSync(program, [String(services), String(endpoints)], { encoding: 'utf8' }).split(' ')[0])
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

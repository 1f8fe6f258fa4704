// Words in front of a program that keep it on its cores and, with the word `ahead` on the command line (root), before what
// else the machine does: latencies say nothing otherwise.

const isAhead = process.argv.includes('ahead')

/** `taskset -c CORES …`; servers and load get the same. */
export function pinnedWords(cores: string): readonly string[] {
  return ['taskset', '-c', cores, ...(isAhead ? ['nice', '-n', '-15'] : [])]
}

// The tasks of the measurement of attempts: as small as they can be, each in a file of its own.

/** So many that two tasks at once hardly ever meet on a branch: a merge is more commands for whoever it hits. */
export const FEATURES = 16;

export const taskOf = (n) => ({
  feature: `FEAT-${1 + (n % FEATURES)}`,
  id: `T-${n}`,
  run: `mkdir -p out && echo ${n} > out/${n}.txt`,
  check: `test -f out/${n}.txt`,
});

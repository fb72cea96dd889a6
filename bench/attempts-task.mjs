// The tasks of the measurement of attempts: as small as they can be, each in a file of its own.

export const FEATURES = 4;

export const taskOf = (n) => ({
  feature: `FEAT-${1 + (n % FEATURES)}`,
  id: `T-${n}`,
  run: `mkdir -p out && echo ${n} > out/${n}.txt`,
  check: `test -f out/${n}.txt`,
});

/** Does what is asked for at once, and what is asked for before the pace is over in the end, once. */
export function atPace(work: () => void, paceMs: number): { ask(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;
  const run = () => {
    isAsked = false;
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (isAsked) run();
    }, paceMs);
  };
  return {
    ask() {
      isAsked = true;
      if (timer === undefined) run();
    },
    stop: () => clearTimeout(timer),
  };
}

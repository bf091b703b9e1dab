/** Reports progress without delaying the work: while one report is being written further ones are left out, and a failed one is ignored. */
export function reportTo(write: (done: number) => Promise<unknown>): (done: number) => void {
  let isBusy = false;
  return (done) => {
    if (isBusy) return;
    isBusy = true;
    void write(done)
      .catch(() => undefined)
      .finally(() => {
        isBusy = false;
      });
  };
}

/**
 * Reports a progress beside the work, which does not wait for it: what is reported while another report is on its way is left out, as is
 * one that fails.
 */
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

/** A number of bytes in the largest binary unit of which there is at least one: `1.5 GiB`. */
export function bytesText(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const;
  let value = bytes / 1_024;
  for (const unit of units) {
    if (value < 1_024 || unit === 'TiB') return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
    value /= 1_024;
  }
  return '';
}

/** A duration in milliseconds below a second, else in seconds; a dash where nothing was measured. */
export function secondsText(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
}

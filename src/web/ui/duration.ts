/** A duration in hours, minutes and seconds: `2h 5m 09s`, `4m 07s`, `12s`; below ten seconds with tenths, `0.4s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 9_950) return `${(Math.max(0, milliseconds) / 1000).toFixed(1)}s`;
  const seconds = Math.round(milliseconds / 1000);
  const padded = (value: number) => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${padded(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m ${padded(seconds % 60)}s`;
}

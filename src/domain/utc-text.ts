/** An ISO instant to the minute, for readers in any zone: `2026-11-30 01:32 UTC`. */
export const utcText = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

/** A percentage with one decimal, such as `99.9%`. */
export const rateText = (rate: number): string => `${rate.toFixed(1)}%`;

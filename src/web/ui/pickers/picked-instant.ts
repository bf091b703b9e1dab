/** The instant of a picker's `YYYY-MM-DD HH:mm:ss` in the viewer's zone. */
export const instantOfPicker = (chosen: string) => new Date(chosen.replace(' ', 'T')).toISOString();

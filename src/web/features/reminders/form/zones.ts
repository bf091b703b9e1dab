const offered = {
  UTC: ['UTC'],
  Americas: [
    'America/Anchorage',
    'America/Argentina/Buenos_Aires',
    'America/Bogota',
    'America/Caracas',
    'America/Chicago',
    'America/Denver',
    'America/Halifax',
    'America/Lima',
    'America/Los_Angeles',
    'America/Mexico_City',
    'America/New_York',
    'America/Phoenix',
    'America/Santiago',
    'America/Sao_Paulo',
    'America/St_Johns',
    'America/Toronto',
    'America/Vancouver',
  ],
  Europe: [
    'Europe/Amsterdam',
    'Europe/Athens',
    'Europe/Berlin',
    'Europe/Brussels',
    'Europe/Dublin',
    'Europe/Helsinki',
    'Europe/Istanbul',
    'Europe/Kyiv',
    'Europe/Lisbon',
    'Europe/London',
    'Europe/Madrid',
    'Europe/Moscow',
    'Europe/Paris',
    'Europe/Rome',
    'Europe/Stockholm',
    'Europe/Warsaw',
    'Europe/Zurich',
  ],
  Asia: [
    'Asia/Bangkok',
    'Asia/Dhaka',
    'Asia/Dubai',
    'Asia/Hong_Kong',
    'Asia/Jakarta',
    'Asia/Jerusalem',
    'Asia/Karachi',
    'Asia/Kolkata',
    'Asia/Manila',
    'Asia/Seoul',
    'Asia/Shanghai',
    'Asia/Singapore',
    'Asia/Tokyo',
  ],
  'Australia and Pacific': [
    'Australia/Adelaide',
    'Australia/Brisbane',
    'Australia/Perth',
    'Australia/Sydney',
    'Pacific/Auckland',
    'Pacific/Honolulu',
  ],
  Africa: ['Africa/Cairo', 'Africa/Johannesburg', 'Africa/Lagos', 'Africa/Nairobi'],
};

type ZoneGroup = { group: string; items: { value: string; label: string }[] };

/** The selectable zones with their offset at `now`; zones of `others` that the list lacks come first. */
export function zoneChoices(now: Date, others: readonly string[]): ZoneGroup[] {
  const known = new Set(Object.values(offered).flat());
  const missing = [...new Set(others)].filter((zone) => !known.has(zone));
  const groups = Object.entries(missing.length > 0 ? { Yours: missing, ...offered } : offered);
  return groups.map(([group, zones]) => ({
    group,
    items: zones.map((value) => ({ value, label: zoneLabel(value, now) })),
  }));
}

/** `America/New York (UTC-05:00)`, with the offset at `now`. */
function zoneLabel(zone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(now);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') || '+00:00';
  return `${zone.replaceAll('_', ' ')} (UTC${offset})`;
}

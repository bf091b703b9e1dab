import { appendFileSync } from 'node:fs';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that collects the rows of a run. */
    faultTable: string;
  }
}

export type FaultRow = {
  scenario: string;
  recipients: number;
  lost: number;
  duplicated: number;
  /** Attempts that had begun, and had no outcome on record, when the fault came. */
  inFlight: number;
  /** From the fault until what it had cut off was in other hands; null where nothing had to be taken up. */
  takenUpMs: number | null;
  /** From the fault until every job had ended. */
  endedMs: number;
};

/** Faults that other tests live through, with a server in the test's own process: what happens, and the file. */
export const elsewhere: readonly [scenario: string, file: string][] = [
  ['a mail server sends empty lines without an end', 'src/delivery/email/smtp.faults.test.ts'],
  ['a bounce is a megabyte of line breaks', 'src/delivery/email/bounce.test.ts and src/event-loop.test.ts'],
  ['a bounce is forged, or comes 600 times a minute', 'src/features/channels/bounces.test.ts'],
  ['the database is read-only or full, as people and probes see it', 'src/features/status/read-only.test.ts'],
];

const columns: [string, number, (row: FaultRow) => string][] = [
  ['recipients', 11, (row) => String(row.recipients)],
  ['lost', 5, (row) => String(row.lost)],
  ['duplicated', 11, (row) => String(row.duplicated)],
  ['in flight', 10, (row) => String(row.inFlight)],
  ['taken up', 9, (row) => (row.takenUpMs === null ? '-' : seconds(row.takenUpMs))],
  ['all ended', 10, (row) => seconds(row.endedMs)],
];

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

export const header = ['scenario'.padEnd(66), ...columns.map(([name, width]) => name.padStart(width))].join(' ');

/** Prints the row, and keeps it for the table at the end of the run. */
export function report(row: FaultRow): void {
  const line = [row.scenario.padEnd(66), ...columns.map(([, width, text]) => text(row).padStart(width))].join(' ');
  console.log(line);
  appendFileSync(inject('faultTable'), `${line}\n`);
}

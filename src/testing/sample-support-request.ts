import type { Client } from 'pg';

/** Of no workspace: there is one for all tests of a database. */
export const sampleSupportRequest = 'b2f0c7c2-6f0a-4d5b-9a55-2f0d3f9a1c11';

export const insertSupportRequest = (owner: Client) =>
  owner.query(
    `insert into support_requests (id, email, category, subject, message, created_at)
     values ($1, 'kim@example.com', 'technical', 'A reminder is late', 'It was due at nine.', now()) on conflict do nothing`,
    [sampleSupportRequest],
  );

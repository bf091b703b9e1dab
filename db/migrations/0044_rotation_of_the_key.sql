-- `npm run rotate-key` seals every secret again as the owner of the database, to whom row-level security applies.
create policy owner_reseals on channels for update to current_user using (true);
create policy owner_reseals on reminder_hooks for update to current_user using (true);
create policy owner_reseals on idempotency_keys for update to current_user using (true);
create policy owner_reseals on auth_two_factors for update to current_user using (true);
create policy owner_settings on app_settings to current_user using (true) with check (true);

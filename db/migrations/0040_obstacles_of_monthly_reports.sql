-- The list of monthly reports says why one is not mailed by the function that keeps it from being mailed.
grant execute on function may_mail_reports to cuebird_app;

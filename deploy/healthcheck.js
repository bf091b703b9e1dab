// Ends with 0 when the process beside it answers.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/api/health`).catch(() => null);
process.exitCode = answer?.ok === true ? 0 : 1;

/** Reports errors that no screen catches. The code that reports is loaded when something has failed. */
export function reportScriptErrors(): void {
  window.addEventListener('error', ({ error }) => report(error));
  window.addEventListener('unhandledrejection', ({ reason }) => report(reason));
}

function report(error: unknown): void {
  import('./error-report.ts').then(({ reportError }) => reportError(error, 'script')).catch(() => {});
}

const keyOf = (workspaceId: string) => `cuebird.import-country.${workspaceId}`;

/** The country that this browser chose for the last import of the workspace. */
export function countryOfLastImport(workspaceId: string): string | null {
  try {
    return localStorage.getItem(keyOf(workspaceId));
  } catch {
    // Storage may be blocked.
    return null;
  }
}

export function rememberCountry(workspaceId: string, country: string | null): void {
  try {
    if (country === null) localStorage.removeItem(keyOf(workspaceId));
    else localStorage.setItem(keyOf(workspaceId), country);
  } catch {
    // Storage may be full or blocked.
  }
}

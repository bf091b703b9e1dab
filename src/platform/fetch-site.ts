/**
 * Whether the browser marks the request as sent by another site's page (Fetch Metadata, `Sec-Fetch-Site`). Programs
 * send no such header; `none` is a typed or bookmarked address.
 */
export function isFromAnotherSite({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

import { jsonOf } from '#domain/event-data.ts';
import { quotedForShell } from '#web/features/api-docs/request-code.ts';

export type HookCommand = {
  url: string;
  data: Readonly<Record<string, string>>;
  /** The names of the data that are lists of plain values. */
  lists?: readonly string[];
  /** How a signed request gets the secret: it is written into the command, or asked for; null for an unsigned one. */
  secret: { value: string } | 'asked' | null;
};

/** A call of a hook as one command of bash, which runs as it is. */
export function hookCurl({ url, data, lists = [], secret }: HookCommand): string {
  const body = quotedForShell(JSON.stringify(jsonOf(data, { lists })));
  const json = `--header 'Content-Type: application/json'`;
  if (secret === null) return [`curl ${quotedForShell(url)}`, json, `--data ${body}`].join(' \\\n  ');
  const known = secret === 'asked' ? `read -rsp 'Secret: ' SECRET; echo` : `SECRET=${quotedForShell(secret.value)}`;
  return [
    `${known}; BODY=${body}; ID=msg_$(openssl rand -hex 12); AT=$(date +%s);`,
    `KEY=$(${keyInHex});`,
    `SIGNATURE=$(printf '%s.%s.%s' "$ID" "$AT" "$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A);`,
    `curl ${quotedForShell(url)}`,
    json,
    `--header "webhook-id: $ID" --header "webhook-timestamp: $AT"`,
    `--header "webhook-signature: v1,$SIGNATURE"`,
    `--data "$BODY"`,
  ].join(' \\\n  ');
}

/**
 * The key of a secret in hexadecimal: Standard Webhooks reads base64 after `whsec_`, in either alphabet, padded or not; any other text is used as it
 * is.
 */
const keyInHex = String.raw`case "$SECRET" in (whsec_*) KEY64=$(printf %s "${'${SECRET#whsec_}'}" | tr -d = | tr -- -_ +/); while [ $((${'${#KEY64}'} % 4)) -ne 0 ]; do KEY64=$KEY64=; done; printf %s "$KEY64" | openssl base64 -d -A;; (*) printf %s "$SECRET";; esac | od -An -vtx1 | tr -d ' \n'`;

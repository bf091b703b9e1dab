import { type ReportMailInput, type ReportMailOutcome, reportMailLimits } from '#contract/report-mails.ts';
import { listHeaders } from '#delivery/email/mail.ts';
import { capitalized, counted } from '#domain/in-words.ts';
import { nameForMany } from '#domain/job-name.ts';
import type { Renderer } from '#domain/rendering.ts';
import { reachedText, unreachedTexts } from '#domain/run-outcome.ts';
import { unlinked } from '#domain/unlinked.ts';
import { showJob } from '#features/jobs/jobs.service.ts';
import { reportPages } from '#features/jobs/report.service.ts';
import { askReports } from '#features/suppressions/suppressions.service.ts';
import { isDemo } from '#features/workspaces/workspaces.service.ts';
import { findMailNames } from '#features/report-mails/report-mails.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { MemberContext } from '#platform/context.ts';
import { writeCsv } from '#platform/csv.ts';
import { Unprocessable } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

type ReportMail = {
  to: string;
  subject: string;
  text: string;
  replyTo: string;
  headers: Record<string, string>;
  attachment?: { name: string; mediaType: string; content: string };
};

export type ReportMailPorts = {
  renderer: Renderer;
  secrets: SecretBox;
  /** Sends a mail of the installation. Returns whether it was accepted; null where there is no mail server. */
  sendMail: ((mail: ReportMail) => Promise<boolean>) | null;
  /** Where this installation is reached. */
  url: () => string;
  /** The addresses at which a recipient ends all mails of the workspace. */
  links: (of: { stops: 'messages'; workspaceId: string; channel: 'email'; recipient: string }) => {
    page: string;
    oneClick: string;
  };
};

/** Mails the report of a job, one mail for each address. Throws NotFound, and Unprocessable in demos and without a mail server. */
export async function mailReport(
  ctx: MemberContext,
  { id, to, timezone, ...person }: ReportMailInput & { id: string },
  { renderer, secrets, sendMail, url, links }: ReportMailPorts,
): Promise<AfterCommit<{ data: ReportMailOutcome[] }>> {
  if (await isDemo(ctx)) throw new Unprocessable('The demo sends into the sandbox only, and mails no reports');
  if (sendMail === null) throw new Unprocessable('This installation has no mail server to mail reports with');
  const job = await showJob(ctx, id);
  const names = await findMailNames(ctx.db, { workspaceId: ctx.workspaceId, userId: ctx.actor.userId });
  const isSuppressed = await askReports(ctx, { addresses: to, secrets });
  for (const address of to.filter((one) => !isSuppressed(one)))
    await recordAct(ctx, {
      action: 'export.report_mailed',
      target: id,
      details: { name: nameForMany(job.name), to: address },
    });
  return new AfterCommit(async (again) => {
    const pages = reportPages({ ...ctx, again }, { ...person, id }, { renderer });
    const file = await wholeFile(pages.head, pages.pages);
    const isOfOne = person.contact !== undefined || person.recipient !== undefined;
    const name = unlinked(nameForMany(job.name));
    const { paragraphs, ...mail } = {
      subject: `${unlinked(names.company)}: report of ${name}`,
      paragraphs: [
        'Hello,',
        `${unlinked(names.sender)} sends you this report of ${unlinked(names.company)}.`,
        `${name}, ${inZone(job.scheduled_for, timezone)}`,
        ...(isOfOne ? ['It has the messages to one person.'] : linesOf(job)),
        file === null
          ? 'The report is too large for a mail. Members of the workspace find it here:'
          : 'The report is attached, with a line for each message. Members of the workspace find it here, too:',
        `${url()}/jobs/${id}/report`,
      ],
      replyTo: names.email,
      ...(file !== null && { attachment: { name: `report-${id}.csv`, mediaType: 'text/csv', content: file } }),
    };
    const data: ReportMailOutcome[] = [];
    for (const address of to) {
      if (isSuppressed(address)) {
        data.push({ address, outcome: 'suppressed' });
        continue;
      }
      const unsubscribe = links({ stops: 'messages', workspaceId: ctx.workspaceId, ...asTarget(address) });
      const isSent = await sendMail({
        ...mail,
        to: address,
        text: [
          ...paragraphs,
          `To get no more mails of ${unlinked(names.company)}, of any kind: ${unsubscribe.page}`,
        ].join('\n\n'),
        headers: listHeaders(unsubscribe),
      });
      data.push({ address, outcome: isSent ? 'sent' : 'refused' });
    }
    return { data };
  });
}

const asTarget = (recipient: string) => ({ channel: 'email' as const, recipient });

type Counted = Awaited<ReturnType<typeof showJob>>;

function linesOf({ people, recipients }: Counted): string[] {
  if (people === null || people.total === 0) return [];
  const reached = capitalized(`reached: ${reachedText(people)}`);
  const others = unreachedTexts(people).map((text) => `• ${unlinked(text)}`);
  const messages = recipients === null ? [] : [`Messages: ${counted(recipients.total, 'message')}`];
  return [[reached, ...others, ...messages].join('\n')];
}

/** `2 Mar 2026, 10:00 (Europe/Berlin)`. */
const inZone = (at: string, timeZone: string) =>
  `${new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone })} (${timeZone})`;

/** The file as one text; null when it is larger than a mail may have. */
async function wholeFile(
  head: readonly string[],
  pages: AsyncIterable<readonly (readonly string[])[]>,
): Promise<string | null> {
  let file = `\uFEFF${writeCsv([head])}`;
  for await (const lines of pages) {
    if (lines.length > 0) file += writeCsv(lines);
    if (Buffer.byteLength(file) > reportMailLimits.attachedBytes) return null;
  }
  return file;
}

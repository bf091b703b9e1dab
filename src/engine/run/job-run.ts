import type { ChannelType } from '#contract/channel-types.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import { resultOf, type Tally } from '#domain/job-state.ts';
import { noRecipients, type Reason, reasonOf, willBeTriedAgain } from '#domain/ledger-reasons.ts';
import { isFallingBackAfter } from '#domain/may-be-sent.ts';
import type { TopicReason } from '#contract/topics.ts';
import type { Contact } from '#domain/variables.ts';
import { type ClaimedJob, type OwnedJob, isFirstClaim } from '#engine/run/claimed-job.ts';
import {
  type Deferral,
  type EndedRow,
  type Fallback,
  type LiveDelivery,
  exactKey,
  ledgerKey,
} from '#engine/run/live-delivery.ts';
import { keyInWorkspace, routedContactKey } from '#engine/run/contacts.ts';
import type { FindRoute, Routes } from '#engine/run/routes.ts';
import type { Sender } from '#engine/run/sender.ts';
import type { Hours } from '#engine/run/sending-hours.ts';
import type { Work } from '#engine/run/work.ts';
import type { FinishRow, OutcomeRow } from '#engine/run/run-result.ts';

type Claimed = {
  job: ClaimedJob;
  claimId: string;
  sender: Sender;
  work: Work;
  hours: Hours | null;
  startedAt: Temporal.Instant;
  startedAtMs: number;
  scheduledForMs: number;
  expiresAtMs: number;
  required: TopicReason | null;
  findRoutes: ReturnType<FindRoute>;
};

/**
 * A job that this worker has claimed, from the claim to its result. Its deliveries wait here (`overflow`), are in flight,
 * or have an outcome; once none waits or is in flight it is done, and `result` says how the job ends or when it is claimed
 * again. A run that is lost reports nothing: its job is left to the lease, or another worker owns it.
 *
 * Most runs have one recipient, so lists are made when something is put into them.
 */
export class JobRun {
  readonly job: ClaimedJob;
  readonly claimId: string;
  readonly sender: Sender;
  readonly work: Work;
  /** The workspace's sending hours; null when it may send at any time. */
  readonly hours: Hours | null;
  /** Exactly as the store writes it. */
  readonly startedAt: Temporal.Instant;
  readonly startedAtMs: number;
  readonly scheduledForMs: number;
  /** No attempt starts at or after this. */
  expiresAtMs: number;
  /** Why nobody can leave its topic, at the claim; null where people can. */
  readonly required: TopicReason | null;

  #findRoutes: ReturnType<FindRoute>;
  /** The routes that were looked up last, and for which channel type: most runs need one type only. */
  #found: Routes | null = null;
  #foundFor: ChannelType | null = null;
  #contacts: ReadonlyMap<string, Contact> | null = null;
  #fallbacks: ReadonlyMap<string, Fallback> | null = null;
  /** Deliveries that do not begin now, although their hours are open, by `ledgerKey`. */
  #capDeferrals: Map<string, Deferral> | null = null;
  #checkedAtMs: number;
  #inFlight = 0;
  #overflow: LiveDelivery[] | null = null;
  #unconfirmed: Set<string> | null = null;
  #endedElsewhere: Set<string> | null = null;
  #tally: Tally | null = null;
  #attempted = 0;
  /** How many deliveries have a final status. */
  #ended = 0;
  /** Whether the tally counts a refusal of the whole job, which has no row. */
  #isRefused = false;
  /** How many deliveries the run has deferred. */
  #deferred = 0;
  #latest: OutcomeRow | null = null;
  #isInLedger: boolean;
  #nextAttemptAtMs: number | null = null;
  #isUncertain = false;
  #isFallingBack = false;
  #lastFailure: Reason | null = null;
  #lastSkip: Reason | null = null;
  #isLost = false;
  /** Whether the run has given a recipient up, such as by expiring, perhaps without an attempt. */
  #hasGivenUp = false;

  constructor(claimed: Claimed) {
    this.job = claimed.job;
    this.claimId = claimed.claimId;
    this.sender = claimed.sender;
    this.work = claimed.work;
    this.hours = claimed.hours;
    this.startedAt = claimed.startedAt;
    this.startedAtMs = claimed.startedAtMs;
    this.scheduledForMs = claimed.scheduledForMs;
    this.expiresAtMs = claimed.expiresAtMs;
    this.required = claimed.required;
    this.#findRoutes = claimed.findRoutes;
    this.#checkedAtMs = claimed.startedAtMs;
    this.#isInLedger = !isFirstClaim(claimed.job);
  }

  /** The job, in the form that the store's operations take. */
  get owned(): OwnedJob {
    const { id, workspace_id: workspaceId, scheduled_for: scheduledFor } = this.job;
    return { id, workspaceId, scheduledFor, claimId: this.claimId };
  }

  get isRequired(): boolean {
    return this.required !== null;
  }

  /** True when no attempt may start any more. */
  isOver(nowMs: number): boolean {
    return this.expiresAtMs <= nowMs;
  }

  // Routes, contacts and fallbacks.

  /** The channels of this type, by the channel rows that were read last. */
  routes(type: ChannelType): Routes {
    if (this.#found !== null && this.#foundFor === type) return this.#found;
    const { workspace_id: workspaceId } = this.job;
    this.#found = this.#findRoutes({ type, workspaceId, pinned: this.work.pinned[type], isDemo: this.sender.isDemo });
    this.#foundFor = type;
    return this.#found;
  }

  useRoutes(findRoutes: ReturnType<FindRoute>): void {
    this.#findRoutes = findRoutes;
    this.#found = null;
  }

  /** The recipient's contact, as it was at the claim; null when the workspace has none. */
  contactOf(delivery: LiveDelivery): Contact | null {
    if (this.#contacts === null) return null;
    const key = this.contactKeyOf(delivery);
    return key === null ? null : (this.#contacts.get(keyInWorkspace(this.job.workspace_id, key)) ?? null);
  }

  contactKeyOf(delivery: LiveDelivery): string | null {
    return routedContactKey(delivery, (type) => this.routes(type));
  }

  /** @param contacts by `keyInWorkspace` */
  useContacts(contacts: ReadonlyMap<string, Contact>): void {
    this.#contacts = contacts.size === 0 ? null : contacts;
  }

  /** What follows a delivery over one of several channels that are tried in order; undefined for the last one. */
  fallbackOf(delivery: LiveDelivery): Fallback | undefined {
    return this.#fallbacks?.get(ledgerKey(delivery));
  }

  /** Whether a message was skipped and goes on to the next channel. Where channels are tried in order, the next claim does that, or says that none is left. */
  isForbidden({ status, reason_code: code }: Pick<EndedRow, 'status' | 'reason_code'>): boolean {
    return (
      this.work.mode === 'in_order' &&
      status === 'skipped' &&
      code !== null &&
      isFallingBackAfter(code, { isRequired: this.isRequired })
    );
  }

  /** @param fallbacks by `ledgerKey` */
  useFallbacks(fallbacks: ReadonlyMap<string, Fallback>): void {
    this.#fallbacks = fallbacks.size === 0 ? null : fallbacks;
  }

  /** When the database last confirmed that the job is to be sent, in epoch milliseconds. */
  get checkedAtMs(): number {
    return this.#checkedAtMs;
  }

  confirmOwned({ atMs, findRoutes }: { atMs: number; findRoutes: ReturnType<FindRoute> }): void {
    this.#checkedAtMs = atMs;
    this.useRoutes(findRoutes);
  }

  /** The claim writes a row of the job into the ledger. */
  markInLedger(): void {
    this.#isInLedger = true;
  }

  // Deliveries in flight: begun without an outcome yet, including those that wait for a slot of their destination.

  reserve(count: number): void {
    this.#inFlight += count;
  }

  release(count: number): void {
    this.#inFlight -= count;
  }

  // Deliveries that have not begun.

  get overflow(): readonly LiveDelivery[] {
    return this.#overflow ?? nobody;
  }

  get hasOverflow(): boolean {
    return this.#overflow !== null && this.#overflow.length > 0;
  }

  queue(delivery: LiveDelivery): void {
    (this.#overflow ??= []).push(delivery);
  }

  takeOverflow(count: number): LiveDelivery[] {
    return this.#overflow?.splice(0, count) ?? [];
  }

  putBack(deliveries: readonly LiveDelivery[]): void {
    (this.#overflow ??= []).unshift(...deliveries);
  }

  clearOverflow(): void {
    this.#overflow = null;
  }

  /** True when the ledger may have the attempt as begun though the database did not answer: it has to be confirmed. */
  isUnconfirmed(delivery: LiveDelivery): boolean {
    return this.#unconfirmed !== null && this.#unconfirmed.has(exactKey(delivery));
  }

  get hasUnconfirmed(): boolean {
    return this.#unconfirmed !== null && this.#unconfirmed.size > 0;
  }

  markUnconfirmed(deliveries: readonly LiveDelivery[]): void {
    this.#unconfirmed ??= new Set();
    for (const delivery of deliveries) this.#unconfirmed.add(exactKey(delivery));
  }

  confirmBegun(rows: readonly { channel: string; recipient: string }[]): void {
    if (this.#unconfirmed !== null) for (const row of rows) this.#unconfirmed.delete(exactKey(row));
  }

  // Outcomes.

  /** Counts a row that ends unsent with the claim. */
  countClosed(row: Omit<EndedRow, 'recipient'>): void {
    this.countEnded(row);
    this.#hasGivenUp ||= isFailure(row.status);
  }

  /** Counts a row that ended before. */
  countEnded(row: Omit<EndedRow, 'recipient'>): void {
    const { status } = row;
    this.#count(status);
    if (status === 'skipped') this.#lastSkip = reasonOf(row);
    else if (status !== 'accepted' && status !== 'delivered') this.#lastFailure = reasonOf(row);
  }

  /** Counts a row that another process ended. The query that ends open rows and the one that begins attempts may both report it. */
  countEndedElsewhere(row: EndedRow): void {
    this.#endedElsewhere ??= new Set();
    const key = exactKey(row);
    if (this.#endedElsewhere.has(key)) return;
    this.#endedElsewhere.add(key);
    this.countEnded(row);
  }

  /** Counts an outcome of this run. No attempt was made where the recipient was skipped or deferred. */
  countOutcome(outcome: OutcomeRow): void {
    const { status, code, reason, nextAttemptAt, isUnknown } = outcome.settled;
    const cause = code === null || reason === null ? null : { code, reason };
    this.#latest = outcome;
    if (outcome.beganAt !== null) this.#attempted += 1;
    if (status === 'skipped') this.#lastSkip = cause;
    else if (cause !== null) this.#lastFailure = cause;
    if (status !== 'waiting') {
      this.#hasGivenUp ||= isFailure(status);
      return this.#count(status);
    }
    this.#deferred += 1;
    if (isUnknown) this.#isUncertain = true;
    if (nextAttemptAt !== null) this.nextAttemptBy(nextAttemptAt.epochMilliseconds);
  }

  #count(status: keyof Tally): void {
    this.#tally ??= {};
    this.#tally[status] = (this.#tally[status] ?? 0) + 1;
    this.#ended += 1;
  }

  /** A recipient was not reached, and is tried over the next channel. */
  fallBack(outcome: OutcomeRow, reason: Reason): void {
    if (outcome.beganAt !== null) this.#attempted += 1;
    this.#lastFailure = reason;
    this.#isFallingBack = true;
  }

  get isFallingBack(): boolean {
    return this.#isFallingBack;
  }

  /** Counts a row that earlier runs left open. */
  keepOpen({ unknowns, reason }: { unknowns: number; reason: Reason | null }): void {
    this.#isUncertain ||= unknowns > 0;
    this.#lastFailure ??= reason;
  }

  /** Has a delivery wait, because its recipient has had enough today. */
  deferByCap(row: { channel: ChannelType; recipient: string }, deferral: Deferral): void {
    this.#capDeferrals ??= new Map();
    this.#capDeferrals.set(ledgerKey(row), deferral);
  }

  /** Until when a delivery that is due at the claim waits, and why; null when it may begin. */
  deferralOf(row: { channel: ChannelType; recipient: string }, nowMs: number): Deferral | null {
    return this.hours?.deferralOf(row, nowMs) ?? this.#capDeferrals?.get(ledgerKey(row)) ?? null;
  }

  /** Records that a recipient is deferred, and why, for the job's error message. */
  deferUntil({ atMs, code, reason }: Deferral): void {
    this.#lastFailure ??= { code, reason };
    this.nextAttemptBy(atMs);
  }

  /** Has the job claimed again at this time, or at an earlier one that was given before. */
  nextAttemptBy(atMs: number): void {
    if (this.#nextAttemptAtMs === null || atMs < this.#nextAttemptAtMs) this.#nextAttemptAtMs = atMs;
  }

  /** The reason of the last skip. */
  get lastSkip(): Reason | null {
    return this.#lastSkip;
  }

  // How the run ends.

  /** Sends nothing. A run that served nobody ends as cancelled with this reason, whatever earlier runs left in its ledger. */
  refuse(reason: Reason): void {
    this.#lastSkip = reason;
    this.#nextAttemptAtMs = null;
    if (this.#ended > 0) return;
    this.#count('skipped');
    this.#isRefused = true;
  }

  /** Begins no further attempt. Open rows end with this reason. */
  stop(reason: Reason | null): void {
    this.#overflow = null;
    this.#lastSkip = reason;
  }

  /** Leaves what has not begun open in the ledger, for the next claim. */
  returnToQueue(later: Deferral): void {
    if (this.hasUnconfirmed) return this.lose();
    this.#overflow = null;
    this.deferUntil(later);
  }

  /** Leaves the job to its lease: another worker owns it, or the rescuer settles the attempts that the ledger has as under way. */
  lose(): void {
    this.#overflow = null;
    this.#isLost = true;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get isDone(): boolean {
    return this.#inFlight === 0 && !this.hasOverflow;
  }

  /** Deliveries without an outcome. */
  get openDeliveries(): number {
    return this.#inFlight + this.overflow.length;
  }

  /** How the run ends or postpones its job; null when another worker decides that. */
  result(): FinishRow | null {
    if (this.#isLost) return null;
    const tally = this.#tally ?? {};
    const { job, claimId, startedAt } = this;
    const row = { jobId: job.id, claimId, startedAt, rows: this.#ended + this.#deferred - (this.#isRefused ? 1 : 0) };
    if (this.#nextAttemptAtMs === null) {
      const hasFailed = tally.failed !== undefined || tally.unknown !== undefined;
      const cause = hasFailed ? this.#lastFailure : this.#lastSkip;
      const { status, message } = resultOf(tally, { reason: cause?.reason ?? null });
      const code = status === 'cancelled' ? (cause ?? noRecipients).code : null;
      const onlyOutcome = this.#onlyOutcome();
      return { ...row, status, ifStopped: status, runAt: null, code, message, logs: this.#logs(tally), onlyOutcome };
    }
    const open = this.#isUncertain ? 'unknown' : this.#isFallingBack ? 'failed' : 'skipped';
    return {
      ...row,
      status: 'pending',
      ifStopped: resultOf({ ...tally, [open]: 1 }, { reason: null }).status,
      runAt: Temporal.Instant.fromEpochMilliseconds(this.#nextAttemptAtMs),
      code: null,
      message: willBeTriedAgain(this.#lastFailure),
      // A run without any attempt or given-up recipient leaves no execution.
      logs: this.#attempted === 0 && !this.#hasGivenUp ? null : this.#logs(tally),
      onlyOutcome: null,
    };
  }

  /**
   * The outcome that was the whole run: one recipient, who has no ledger row yet, and a final outcome of the first
   * attempt.
   */
  #onlyOutcome(): OutcomeRow | null {
    if (this.#isInLedger || this.#ended !== 1 || this.#attempted !== 1) return null;
    return this.#latest?.delivery.attempts === 1 ? this.#latest : null;
  }

  /** What the execution's row says about the run: for a first run, how late it began if that is worth a line. */
  #logs(tally: Tally): Record<string, unknown> {
    const dueMs = this.job.due_at === null ? this.scheduledForMs : Date.parse(this.job.due_at);
    const behindMs = this.startedAtMs - dueMs;
    const isLate = behindMs >= lateMs && isFirstClaim(this.job);
    return {
      attempt: this.job.attempts,
      attempted: this.#attempted,
      ...(isLate && { late_seconds: Math.round(behindMs / 1000) }),
      ...tally,
    };
  }
}

const nobody: readonly LiveDelivery[] = [];

const isFailure = (status: DeliveryStatus) => status === 'failed' || status === 'unknown';

const lateMs = 60_000;

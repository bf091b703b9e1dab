import type { z } from 'zod';
import type { Route } from '#contract/route.ts';
import type { RouteName, Routes } from '#contract/routes.ts';
import type { MemberContext, PersonContext, TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';

/** The context that a handler gets, by the access of its route. */
type ContextOf<R extends Route> = R['access'] extends 'public'
  ? null
  : R['access'] extends 'user' | 'system_admin'
    ? PersonContext
    : R extends { callers: 'people' }
      ? MemberContext
      : TenantContext;

type Part<R, K extends 'params' | 'query' | 'body'> =
  R extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined;

type AnswerOf<R extends Route> = R['answer'] extends z.ZodType
  ?
      | OrNothing<z.input<R['answer']>>
      | AfterCommit<z.input<R['answer']>>
      | (R extends { repeatStatus: number } ? Repeated<z.input<R['answer']>> : never)
  : Response | AfterCommit<Response>;

/** A handler whose answer is empty may return nothing. */
type OrNothing<Answer> = Answer | (Answer extends Record<string, never> ? void : never);

/** A route that stores its own idempotency keys returns this for a key that was used before. */
export class Repeated<T> {
  readonly answer: T;
  constructor(answer: T) {
    this.answer = answer;
  }
}

/** Runs work in a transaction of its own, with the scope of the request's. */
export type InTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/**
 * An answer that waits for another server. It is completed after the request's transaction, so that no database
 * connection is held; later writes use a new transaction.
 */
export class AfterCommit<T> {
  readonly finish: (again: InTransaction) => Promise<T>;
  constructor(finish: (again: InTransaction) => Promise<T>) {
    this.finish = finish;
  }
}

export type HandlerInput<R extends Route> = {
  ctx: ContextOf<R>;
  params: Part<R, 'params'>;
  query: Part<R, 'query'>;
  body: Part<R, 'body'>;
  request: Request;
  /** The network address that the request comes from. */
  clientAddress: string;
  /** Reads the body as bytes, within the route's limit: for routes that validate signed content themselves. */
  readBody: () => Promise<Buffer>;
};

export type Handler<R extends Route> = (input: HandlerInput<R>) => Promise<AnswerOf<R>> | AnswerOf<R>;

/** One handler for every route of the contract: a missing one is a type error. */
export type Handlers = { [Name in RouteName]: Handler<Routes[Name]> };

/** The part of the handlers that one feature answers. */
export type HandlersOf<FeatureRoutes> = {
  [Name in keyof FeatureRoutes]: FeatureRoutes[Name] extends Route ? Handler<FeatureRoutes[Name]> : never;
};

import type { z } from 'zod';
import type { Route } from '#contract/route.ts';
import type { RouteName, Routes } from '#contract/routes.ts';
import type { MemberContext, PersonContext, TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';

/** What a handler may rely on, by who may call its route. */
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
      | z.input<R['answer']>
      | AfterCommit<z.input<R['answer']>>
      | (R extends { repeatStatus: number } ? Repeated<z.input<R['answer']>> : never)
  : Response | AfterCommit<Response>;

/** What a route that keeps its own keys answers when the key came before. */
export class Repeated<T> {
  readonly answer: T;
  constructor(answer: T) {
    this.answer = answer;
  }
}

/** Runs work in a transaction of its own, which sees what that of the request saw. */
export type InTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/**
 * An answer that waits for somebody outside. It is finished once the request's transaction is over, so that no connection
 * to the database waits along; what has to be written then gets a transaction anew.
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
};

export type Handler<R extends Route> = (input: HandlerInput<R>) => Promise<AnswerOf<R>> | AnswerOf<R>;

/** One handler for every route of the contract: leaving one out does not compile. */
export type Handlers = { [Name in RouteName]: Handler<Routes[Name]> };

/** The part of the handlers that one feature answers. */
export type HandlersOf<FeatureRoutes> = {
  [Name in keyof FeatureRoutes]: FeatureRoutes[Name] extends Route ? Handler<FeatureRoutes[Name]> : never;
};

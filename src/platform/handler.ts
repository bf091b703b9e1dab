import type { z } from 'zod';
import type { Access, Route } from '#contract/route.ts';
import type { RouteName, Routes } from '#contract/routes.ts';
import type { PersonContext, TenantContext } from '#platform/context.ts';

/** What a handler may rely on, by who may call its route. */
type ContextOf<A extends Access> = A extends 'public' ? null : A extends 'user' ? PersonContext : TenantContext;

type Part<R, K extends 'params' | 'query' | 'body'> =
  R extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined;

type AnswerOf<R extends Route> = R['answer'] extends z.ZodType ? z.input<R['answer']> : Response;

export type HandlerInput<R extends Route> = {
  ctx: ContextOf<R['access']>;
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

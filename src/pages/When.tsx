import { createElement, type ReactNode } from 'react';
import { type Slot, unlessElement, whenElement } from './slots.ts';

type WhenProps = { set: Slot; children: ReactNode };

/** Shown where the installation has this value. Must not contain another `When`. */
export const When = ({ set, children }: WhenProps) => createElement(whenElement, { name: set }, children);

/** What begins an account: there is a trial where there are plans. */
export const BeginWords = () => (
  <>
    <When set="billing">Start Free Trial</When>
    <Unless set="billing">Get started</Unless>
  </>
);

/** Shown where the installation does not have this value. */
export const Unless = ({ set, children }: WhenProps) => createElement(unlessElement, { name: set }, children);

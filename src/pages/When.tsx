import { createElement, type ReactNode } from 'react';
import { type Slot, unlessElement, whenElement } from './slots.ts';

type WhenProps = { set: Slot; children: ReactNode };

/** Shown where the installation has this value. It holds no other `When`. */
export const When = ({ set, children }: WhenProps) => createElement(whenElement, { name: set }, children);

/** Shown where it has not. */
export const Unless = ({ set, children }: WhenProps) => createElement(unlessElement, { name: set }, children);

import { Portal } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import classes from './HintLayer.module.css';

type Hint = { text: string; around: DOMRect };

const openDelayMs = 200;
const gapPx = 6;

/**
 * Shows the `data-hint` of an element on hover, on keyboard focus or after a tap. The page has one layer: a tooltip
 * component per element would slow down long lists, which have hundreds of hints.
 */
export function HintLayer() {
  const [hint, setHint] = useState<Hint | null>(null);
  useEffect(() => followHints(setHint), []);
  return (
    hint && (
      <Portal>
        <Bubble {...hint} />
      </Portal>
    )
  );
}

function Bubble({ text, around }: Hint) {
  const bubble = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = bubble;
    if (current === null) return;
    const { width, height } = current.getBoundingClientRect();
    const middle = around.left + around.width / 2 - width / 2;
    const above = around.top - height - gapPx;
    current.style.left = `${Math.max(8, Math.min(middle, window.innerWidth - width - 8))}px`;
    current.style.top = `${above < 8 ? around.bottom + gapPx : above}px`;
  }, [around]);
  return (
    <div ref={bubble} role="tooltip" className={classes.bubble}>
      {text}
    </div>
  );
}

function followHints(show: (hint: Hint | null) => void): () => void {
  let current: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    clearTimeout(timer);
    current = null;
    show(null);
  };
  const showAt = (element: HTMLElement | null, { afterMs }: { afterMs: number }) => {
    if (element === current) return;
    hide();
    current = element;
    if (element === null) return;
    timer = setTimeout(() => {
      const text = element.dataset.hint ?? '';
      if (text !== '' && element.isConnected) show({ text, around: element.getBoundingClientRect() });
    }, afterMs);
  };
  const leave = new AbortController();
  const on = <Name extends keyof DocumentEventMap>(name: Name, hear: (event: DocumentEventMap[Name]) => void) =>
    document.addEventListener(name, hear, { signal: leave.signal, passive: true, capture: true });
  on('pointerover', ({ target, pointerType }) => {
    if (pointerType !== 'touch') showAt(hintedAt(target), { afterMs: openDelayMs });
  });
  on('pointerdown', ({ target, pointerType }) => {
    const tapped = pointerType === 'touch' ? hintedAt(target) : null;
    if (tapped === null || tapped === current) hide();
    else showAt(tapped, { afterMs: 0 });
  });
  on('focusin', ({ target }) => {
    if (target instanceof Element && target.matches(':focus-visible')) showAt(hintedAt(target), { afterMs: 0 });
  });
  on('focusout', hide);
  on('scroll', hide);
  on('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
  return () => {
    leave.abort();
    clearTimeout(timer);
  };
}

function hintedAt(target: EventTarget | null): HTMLElement | null {
  const found = target instanceof Element ? target.closest('[data-hint]') : null;
  return found instanceof HTMLElement ? found : null;
}

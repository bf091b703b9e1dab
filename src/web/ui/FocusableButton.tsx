import { type ComponentPropsWithRef, type MouseEvent, useState } from 'react';

/**
 * The element of every Mantine button. One that is disabled while it has the focus, because it loads or has done its
 * work, keeps it until it is left: the browser would move it to the start of the page.
 */
export function FocusableButton({
  type,
  disabled,
  onClick,
  onFocus,
  onBlur,
  ...props
}: ComponentPropsWithRef<'button'>) {
  const [hasFocus, setHasFocus] = useState(false);
  const isInert = disabled === true && hasFocus;
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (!isInert) return onClick?.(event);
    // A disabled button must not submit its form either.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <button
      type="button"
      {...(type !== undefined && { type })}
      {...props}
      disabled={disabled === true && !hasFocus}
      aria-disabled={isInert || props['aria-disabled']}
      onClick={click}
      onFocus={(event) => {
        setHasFocus(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setHasFocus(false);
        onBlur?.(event);
      }}
    />
  );
}

import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';

type SearchBoxProps = {
  /** The label and placeholder of the box: `Search messages`. */
  label: string;
  /** The current search in the URL. */
  value: string | undefined;
  /** Called with the trimmed text when the user stops typing; undefined when nothing is left. */
  onSearch: (text: string | undefined) => void;
  className?: string;
};

/** A debounced search box that also follows changes of the URL. */
export function SearchBox({ label, value = '', onSearch, className }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [announced, setAnnounced] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // The change comes from a link or the Back button and not from this box, whose newer input must not be overwritten.
    if (value !== announced) setTyped(value);
  }
  const router = useRouter();
  const announce = useDebouncedCallback((text: string) => {
    // While a click on a result leads elsewhere, a new search would cancel that.
    if (router.latestLocation.pathname !== router.state.resolvedLocation?.pathname) return;
    setAnnounced(text.trim());
    onSearch(text.trim() || undefined);
  }, 250);
  return (
    <TextInput
      className={className}
      type="search"
      placeholder={label}
      aria-label={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        announce(currentTarget.value);
      }}
    />
  );
}

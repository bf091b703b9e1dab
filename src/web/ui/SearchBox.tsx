import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

type SearchBoxProps = {
  /** Names the box, and stands in it while it is empty: `Search messages`. */
  label: string;
  /** What is searched for now, as the address says. */
  value: string;
  /** Called a moment after the last key, without blanks around the text. */
  onSearch: (text: string) => void;
  className?: string;
};

/** A search that follows typing, and follows the address where that changes by other means. */
export function SearchBox({ label, value, onSearch, className }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [told, setTold] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Not what was told from here: a link or the back button changed it. What is being typed meanwhile is never lost.
    if (value !== told) setTyped(value);
  }
  const tell = useDebouncedCallback((text: string) => {
    setTold(text.trim());
    onSearch(text.trim());
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
        tell(currentTarget.value);
      }}
    />
  );
}

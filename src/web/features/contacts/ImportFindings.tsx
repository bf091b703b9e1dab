import { Group, Stack } from '@mantine/core';
import { IconArrowsJoin, IconArrowsSplit, IconDownload } from '@tabler/icons-react';
import type { ImportAnswer } from '#contract/contact-imports.ts';
import { Notice } from '#web/ui/Notice.tsx';
import prose from '#web/ui/prose.module.css';
import { saveFile } from '#web/ui/save-file.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { findingInWords, findingsOf } from './import-findings.ts';

export type ImportFindingsProps = {
  answer: ImportAnswer;
  /** Joins these lines with those whose address they share, or keeps them apart; undefined where nothing can be chosen any more. */
  onJoin: ((lines: readonly number[], isJoined: boolean) => void) | undefined;
};

/** What is left out of an import or becomes something else than it says, with the lines; nothing where all is as it says. */
export function ImportFindings({ answer: { rows, problem_lines: problemLines }, onJoin }: ImportFindingsProps) {
  const findings = findingsOf(rows);
  if (findings.length === 0) return null;
  return (
    <Stack gap={8}>
      <Notice>
        <ul aria-label="What to know of this file">
          {findings.map((finding) => (
            <li key={finding.kind}>
              {findingInWords(finding)}
              {finding.kind === 'apart' && onJoin !== undefined && (
                <>
                  {' '}
                  Two people are never mixed unless you say that they are one:{' '}
                  <JoinButton lines={finding.lines} isJoined={false} onJoin={onJoin} />
                </>
              )}
              {finding.kind === 'joined' && onJoin !== undefined && (
                <>
                  {' '}
                  <JoinButton lines={finding.lines} isJoined onJoin={onJoin} />
                </>
              )}
            </li>
          ))}
        </ul>
      </Notice>
      {problemLines !== null && (
        <Group gap={8}>
          <SmallButton
            icon={IconDownload}
            onClick={() =>
              saveFile('lines-with-problems.csv', new Blob([`\uFEFF${problemLines}`], { type: 'text/csv' }))
            }
          >
            Download the lines with problems
          </SmallButton>
          <span className={prose.small}>to correct and import them</span>
        </Group>
      )}
    </Stack>
  );
}

type JoinButtonProps = {
  lines: readonly number[];
  isJoined: boolean;
  onJoin: (lines: readonly number[], isJoined: boolean) => void;
  /** The line with which it joins; without one, each has its own. */
  other?: number;
};

export const JoinButton = ({ lines, isJoined, onJoin, other }: JoinButtonProps) => (
  <SmallButton icon={isJoined ? IconArrowsSplit : IconArrowsJoin} onClick={() => onJoin(lines, !isJoined)}>
    {isJoined
      ? 'Keep apart'
      : other === undefined
        ? lines.length === 1
          ? 'Join it'
          : 'Join all'
        : `Join with line ${other}`}
  </SmallButton>
);

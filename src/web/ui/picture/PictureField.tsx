import { Avatar, Button, FileButton, Group } from '@mantine/core';
import { messageOf } from '#web/ui/message-of.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { type ReactNode, useState } from 'react';
import { initialOf } from '#web/ui/initial.ts';
import { drawSquare } from './draw-square.ts';
import classes from './picture.module.css';

type PictureFieldProps = {
  /** Whose picture it is: its first letter stands where there is none. */
  name: string;
  src: string | null;
  isRound: boolean;
  isBusy: boolean;
  isDisabled?: boolean;
  note: ReactNode;
  /** Saves the picture, a data URL, or removes it with null. */
  onChange: (picture: string | null) => Promise<unknown>;
};

/** Shows a picture, and changes or removes it at once. */
export function PictureField({ name, src, isRound, isBusy, isDisabled = false, note, onChange }: PictureFieldProps) {
  const [problem, setProblem] = useState<string | null>(null);

  const save = async (picture: string | null) => {
    try {
      await onChange(picture);
      notifySuccess(picture === null ? 'Picture removed' : 'Picture saved');
    } catch (error) {
      notifyFailure('Error saving the picture', error);
    }
  };
  const choose = async (file: File | null) => {
    if (file === null) return;
    setProblem(null);
    try {
      await save(await drawSquare(file));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };

  return (
    <div className={classes.field}>
      <Avatar src={src} alt={src === null ? '' : `Picture of ${name}`} size={72} radius={isRound ? 36 : 12} color="cue">
        {initialOf(name)}
      </Avatar>
      <div className={classes.words}>
        <p className={classes.note}>{note}</p>
        <Group gap={8}>
          <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void choose(file)}>
            {(button) => (
              <Button {...button} variant="default" loading={isBusy} disabled={isDisabled}>
                {src === null ? 'Choose picture' : 'Change picture'}
              </Button>
            )}
          </FileButton>
          {src !== null && (
            <Button variant="subtle" color="red" disabled={isBusy || isDisabled} onClick={() => void save(null)}>
              Remove picture
            </Button>
          )}
        </Group>
        {problem !== null && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}

import { Avatar, Button, FileButton, Flex, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { maxPictureBytes } from '#contract/pictures.ts';
import { initialOf } from '#web/ui/initial.ts';
import { messageOf } from '#web/ui/message-of.ts';
import { act } from '#web/ui/act.ts';
import prose from '#web/ui/prose.module.css';

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

  const save = (picture: string | null) =>
    act(onChange(picture), {
      done: picture === null ? 'Picture removed' : 'Picture saved',
      failed: 'Error saving the picture',
    });
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
    <Flex gap={16} align="flex-start" p="4px var(--gutter) var(--gutter)">
      <Avatar src={src} alt={src === null ? '' : `Picture of ${name}`} size={72} radius={isRound ? 36 : 12} color="cue">
        {initialOf(name)}
      </Avatar>
      <Stack gap={12} flex={1} miw={0}>
        <p className={prose.dimParagraph}>{note}</p>
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
          <Text role="alert" c="var(--mantine-color-error)">
            {problem}
          </Text>
        )}
      </Stack>
    </Flex>
  );
}

const side = 256;

/**
 * The middle of a picture as a square of 256 pixels, as a data URL. It is drawn anew, so that places and cameras stay in the browser.
 * Throws when the file is not a picture that this browser can show.
 */
async function drawSquare(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error('This file is not a picture. Choose a PNG, JPEG or WebP.');
  });
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw pictures.');
  const shorter = Math.min(picture.width, picture.height);
  const [left, top] = [(picture.width - shorter) / 2, (picture.height - shorter) / 2];
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, left, top, shorter, shorter, 0, 0, side, side);
  picture.close();
  // A browser that cannot write WebP writes PNG, which may be too large.
  const url = canvas.toDataURL('image/webp', 0.9);
  if (url.length * 0.75 < maxPictureBytes) return url;
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, side, side);
  return canvas.toDataURL('image/jpeg', 0.9);
}

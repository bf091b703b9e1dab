/** A JPEG of 8 by 8 grey pixels, with a comment and Exif if given. */
export function jpegOf(note?: Buffer): Buffer {
  const segment = (marker: number, data: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  };
  const notes =
    note === undefined ? [] : [segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), note])), segment(0xfe, note)];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...notes,
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(0xc0, Buffer.from([8, 0, 8, 0, 8, 1, 1, 0x11, 0])),
    segment(0xc4, Buffer.from([0, 1, ...Array.from({ length: 15 }, () => 0), 0])),
    segment(0xc4, Buffer.from([0x10, 1, ...Array.from({ length: 15 }, () => 0), 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x3f, 0xff, 0xd9]),
  ]);
}

/** A lossless WebP of one pixel; with further chunks it gets the extended header. */
export function webpOf(others: readonly (readonly [string, Buffer])[] = []): Buffer {
  const picture = ['VP8L', Buffer.from('2f00000010071011118888fe0700', 'hex')] as const;
  const extended = ['VP8X', Buffer.alloc(10)] as const;
  const chunks = others.length === 0 ? [picture] : [extended, picture, ...others];
  const body = Buffer.concat(
    chunks.map(([type, data]) => {
      const head = Buffer.alloc(8);
      head.write(type, 'latin1');
      head.writeUInt32LE(data.length, 4);
      return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
    }),
  );
  const head = Buffer.from('RIFF....WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

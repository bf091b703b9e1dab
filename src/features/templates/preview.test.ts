import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleTemplate } from '#testing/samples.ts';

describe('the preview of a template', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const preview = (body: object) => dana.call('POST', '/api/templates/preview', { workspace, body });
  const htmlOf = (id: string, values?: string) => {
    const query = new URLSearchParams({ workspace, ...(values !== undefined && { values }) });
    return dana.call('GET', `/api/templates/${id}/html?${query}`);
  };
  const write = async (body: string): Promise<string> => {
    const written = { ...sampleTemplate, content: { ...sampleTemplate.content, body } };
    return (await dana.call('POST', '/api/templates', { workspace, body: written })).json.id;
  };

  it('is the message with the given values and the defaults, and names missing values', async () => {
    const { status, json } = await preview({
      content: { subject: 'Rent of {{month}}', body: '{{ amount | append: " €" }} from {{tenant}}{{note}}' },
      variables: {
        variables: [{ name: 'amount', defaultValue: '950' }, { name: 'tenant' }, { name: 'note', required: false }],
      },
      values: { month: 'June' },
    });
    expect([status, json]).toEqual([
      200,
      {
        subject: 'Rent of June',
        body: '950 € from {{tenant}}',
        html: expect.stringContaining('<p>950 € from {{tenant}}</p>'),
        mentions: [],
        missing: ['tenant'],
        problems: [],
      },
    ]);
  });

  it.each([
    ['sms', 'Pay 950 € now (https://pay.example)', null],
    ['whatsapp', 'Pay *950 €* now (https://pay.example)', null],
    ['slack', 'Pay *950 €* <https://pay.example/|now>', null],
    ['webhook', 'Pay **950 €** [now](https://pay.example)', null],
    ['email', 'Pay 950 € now (https://pay.example)', expect.stringContaining('<strong>950 €</strong>')],
  ])('in Markdown is what %s makes of it', async (channel, body, html) => {
    const content = { body: 'Pay **{{amount}}** [now](https://pay.example)', format: 'markdown' };
    const { json } = await preview({ content, channel, values: { amount: '950 €' } });
    expect(json).toMatchObject({ body, html, problems: [] });
  });

  it('contains the reason when a text cannot be rendered', async () => {
    const { json } = await preview({ content: { body: '{% if a %}' } });
    expect(json.problems).toEqual([{ part: 'body', message: expect.stringContaining('not closed') }]);
  });

  it('as mail is a separate document without scripts and external resources', async () => {
    const id = await write('Dear {{recipient_name}},\n<script>alert(1)</script> https://example.com/pay');
    const { status, headers, json: html } = await htmlOf(id, '{"recipient_name":"<b>Dana</b>"}');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox allow-popups .*default-src 'none'/);
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(html).toContain('Dear &#60;b&#62;Dana&#60;/b&#62;,<br>');
    expect(html).toContain('&#60;script&#62;');
    expect(html).toContain('<a href="https://example.com/pay">');
  });

  it('as mail shows the placeholders of missing values', async () => {
    expect((await htmlOf(await write('Dear {{recipient_name}}'))).json).toContain('Dear {{recipient_name}}');
  });

  it.each(['x', '[]', '{"a":1}', '{"a":', `{"a":"${'x'.repeat(5_000)}"}`])(
    'as mail takes values that are texts by their names, and nothing else (%#)',
    async (values) => {
      const { status, json } = await htmlOf(await write('Dear {{a}}'), values);
      expect([status, json.error.fields[0].path]).toEqual([400, 'values']);
    },
  );
});

describe('slow previews', () => {
  const loop = (name: string, body: string) => `{% for ${name} in (1..1000) %}${body}{% endfor %}`;
  const hostile = (salt: number) => `${loop('a', loop('b', loop('c', '')))}${salt}`;
  let cuebird: TestCuebird;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
  });
  afterAll(() => cuebird.stop());

  const sender = async (name: string) => {
    const person = await cuebird.signUp(name);
    const workspace = await person.createWorkspace(name);
    return (body: string) => person.call('POST', '/api/templates/preview', { workspace, body: { content: { body } } });
  };

  it('do not block other requests: health is answered many times during rendering', async () => {
    const preview = await sender('Mallory');
    let isOver = false;
    const previews = Promise.all(Array.from({ length: 20 }, (_, at) => preview(hostile(at)))).finally(() => {
      isOver = true;
    });
    let healthy = 0;
    for (; !isOver; healthy += 1) expect((await fetch(`${cuebird.url}/api/health`)).status).toBe(200);
    const answers = await previews;
    // Where they are rendered among the requests, each rendering holds up an answer.
    expect(healthy).toBeGreaterThan(5 * answers.length);
    const refused = answers.filter(({ status }) => status === 429);
    const answered = answers.filter(({ status }) => status === 200);
    expect([answered.length + refused.length, refused.length > 0]).toEqual([20, true]);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    for (const { json } of answered)
      expect(json.problems).toEqual([{ part: 'body', message: 'it takes longer than 100 ms to fill in' }]);
  });

  it('of one workspace run one at a time, and those of another one in between', async () => {
    const [mallory, dana] = [await sender('Mallory'), await sender('Dana')];
    const done: string[] = [];
    const slow = Array.from({ length: 6 }, (_, at) => mallory(hostile(100 + at)).then(() => done.push('slow')));
    await dana('{{ amount | upcase }}').then(() => done.push('dana'));
    await Promise.all(slow);
    expect(done.at(-1)).toBe('slow');
    expect(done.indexOf('dana')).toBeLessThan(6);
  });

  it('of a long text take linear time', async () => {
    const preview = await sender('Dana');
    const { json } = await preview(`{{x}} ${'a'.repeat(99_000)}`);
    expect(json).toMatchObject({ missing: ['x'], problems: [] });
  });
});

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

  it('is what would be sent, with the values given and the defaults; what is missing is named', async () => {
    const { status, json } = await preview({
      content: { subject: 'Rent of {{month}}', body: '{{ amount | append: " €" }} from {{tenant}}{{note}}' },
      variables: {
        variables: [{ name: 'amount', defaultValue: '950' }, { name: 'tenant' }, { name: 'note', required: false }],
      },
      values: { month: 'June' },
    });
    expect([status, json]).toEqual([
      200,
      { subject: 'Rent of June', body: '950 € from {{tenant}}', missing: ['tenant'], problems: [] },
    ]);
  });

  it('says why a text cannot be filled in', async () => {
    const { json } = await preview({ content: { body: '{% if a %}' } });
    expect(json.problems).toEqual([{ part: 'body', message: expect.stringContaining('not closed') }]);
  });

  it('as mail is a document of its own, in which nothing runs and nothing loads', async () => {
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

  it('as mail shows what has no value as it is written', async () => {
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

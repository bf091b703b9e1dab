import { describe, expect, it } from 'vitest';
import { TemplateInput } from '#contract/templates.ts';
import { sampleValue } from '#domain/sample-values.ts';
import { segmentsOf } from '#domain/sms-segments.ts';
import { namesIn } from '#domain/template.ts';
import { starterGroups, starterTemplates } from '#domain/starter-templates/starter-templates.ts';

const all = starterGroups.flatMap(({ templates }) => templates);
const named = all.map((template) => [template.name, template] as const);
/** What every message knows by itself. */
const known = ['recipient_name', 'company_name'];

describe('the starter templates', () => {
  it('are twenty-four with names of their own, eight for each kind of team', () => {
    expect(starterGroups.map(({ templates }) => templates.length)).toEqual([8, 8, 8]);
    expect(new Set(all.map(({ slug }) => slug)).size).toBe(24);
    expect(new Set(all.map(({ name }) => name)).size).toBe(24);
  });

  it.each(named)('%s can be saved as it is', (_, { slug: _slug, scheduleType: _type, ...template }) => {
    expect(TemplateInput.parse(template)).toMatchObject(template);
  });

  it.each(named)('%s lists what it needs, and nothing else', (_, { content, variables }) => {
    const needed = namesIn(`${content.subject}\n${content.body}`).filter((name) => !known.includes(name));
    expect(variables.variables.map(({ name }) => name).toSorted()).toEqual(needed.toSorted());
  });

  it.each(named.filter(([, { content }]) => content.type === 'sms'))(
    '%s is one text message in the plain alphabet',
    (_, { content, variables }) => {
      const filled = content.body.replaceAll(/\{\{(\w+)\}\}/g, (_placeholder, name: string) =>
        sampleValue({ name, type: variables.variables.find((one) => one.name === name)?.type ?? 'text' }, '1 December'),
      );
      expect(segmentsOf(filled)).toEqual({ encoding: 'GSM-7', segments: 1 });
    },
  );

  it('are found by words of their name, their text or whom they are for', () => {
    const found = (search: string) =>
      starterTemplates(search).flatMap(({ templates }) => templates.map(({ slug }) => slug));
    expect(found('on-call')).toEqual(['on-call-handover', 'on-call-sms']);
    expect(found('RENT sms')).toEqual(['rent-due-sms']);
    expect(found('operations certificate')).toEqual(['certificate-expiry']);
    expect(found('nothing like it')).toEqual([]);
    expect(found('')).toHaveLength(24);
  });
});

import { describe, expect, it } from 'vitest';
import { previewTemplate, templateValues } from '#domain/template-preview.ts';

const variable = (name: string, more: { required?: boolean; defaultValue?: string } = {}) => ({
  name,
  required: true,
  defaultValue: '',
  ...more,
});

describe('the values of a template', () => {
  it('are those given, else the defaults; a blank counts as none', () => {
    const variables = [variable('amount', { defaultValue: '950' }), variable('tenant', { defaultValue: 'Dana' })];
    expect(templateValues(variables, { amount: '1000', tenant: ' ' })).toEqual({ amount: '1000', tenant: 'Dana' });
  });

  it('may be blank when the variable is optional, and are missing when it is required', () => {
    const variables = [variable('note', { required: false }), variable('amount')];
    expect(templateValues(variables, {})).toEqual({ note: '' });
  });

  it('may be given for variables that the template does not list', () => {
    expect(templateValues([], { company_name: 'Elm Street' })).toEqual({ company_name: 'Elm Street' });
  });
});

describe('a preview', () => {
  it('renders subject and body like a message', () => {
    const content = { subject: 'Rent of {{month}}', body: '{{ tenant | upcase }} owes {{amount}}' };
    expect(previewTemplate(content, { month: 'June', tenant: 'Dana', amount: '950' })).toEqual({
      subject: 'Rent of June',
      body: 'DANA owes 950',
      missing: [],
      problems: [],
    });
  });

  it('names every variable that has no value, and leaves it as it is written', () => {
    const content = { subject: '{{month}}', body: '{{tenant}} {{ amount | append: " €" }} {{month}} {{x}}' };
    expect(previewTemplate(content, { x: '1' })).toEqual({
      subject: '{{month}}',
      body: '{{tenant}} {{amount}} € {{month}} 1',
      missing: ['month', 'tenant', 'amount'],
      problems: [],
    });
  });

  it('names dotted variables in full', () => {
    const previewed = previewTemplate({ subject: '', body: '{{ customer.name }} in {{ customer.city | upcase }}' }, {});
    expect(previewed.missing).toEqual(['customer.name', 'customer.city']);
    expect(previewed.body).toBe('{{customer.name}} in {{CUSTOMER.CITY}}');
  });

  it('says which part cannot be rendered, and why; the other part is still rendered', () => {
    const previewed = previewTemplate({ subject: '{{ amount | shout }}', body: 'Due: {{amount}}' }, { amount: '950' });
    expect(previewed).toEqual({
      subject: '{{ amount | shout }}',
      body: 'Due: 950',
      missing: [],
      problems: [{ part: 'subject', message: expect.stringContaining('undefined filter: shout') }],
    });
  });

  it('stops early when rendering takes long', () => {
    const slow = '{% for a in (1..200000) %}{% endfor %}';
    const body = slow + Array.from({ length: 150 }, (_, at) => `{{a${at}}}`).join('');
    const began = process.cpuUsage();
    expect(previewTemplate({ subject: '', body }, {}).problems).toHaveLength(1);
    // All 150 rounds would take ten seconds or more.
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(3_000);
  });

  it('names the missing variables of a long text in one pass', () => {
    const body = `{{x}} ${'a'.repeat(99_000)}`;
    expect(previewTemplate({ subject: '', body }, {})).toMatchObject({ missing: ['x'], problems: [] });
    expect(previewTemplate({ subject: '', body: `${body}{{ y | upcase }}` }, {}).missing).toEqual(['x', 'y']);
  });

  it('ends when a template uses too many variables', () => {
    const body = Array.from({ length: 300 }, (_, at) => `{{a${at}}}`).join('');
    expect(previewTemplate({ subject: '', body }, {}).problems).toEqual([
      { part: 'body', message: 'too many variables have no value' },
    ]);
  });
});

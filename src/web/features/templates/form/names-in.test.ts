import { describe, expect, it } from 'vitest';
import { namesIn } from './names-in.ts';

describe('the variables of a text', () => {
  it.each([
    ['Dear {{recipient_name}}, {{ amount }} {{amount}}', ['recipient_name', 'amount']],
    ['{{ amount | default: "none or zero" | append: currency }}', ['amount', 'currency']],
    ["{{ due | date: '%d %b' }}", ['due']],
    ['{% if paid and amount > 10 %}{{ a-b }}{% elsif other == "x" %}{% endif %}', ['paid', 'amount', 'a-b', 'other']],
    ['{% assign x = amount | times: 2 %}{{ x }}{% for day in days %}{{ day }}{% endfor %}', ['amount', 'days']],
    ['{{- amount -}} {%- if paid -%}{%- endif -%}', ['amount', 'paid']],
    ['{{ customer.name | upcase }}', ['customer.name']],
    ['{{ true }} {{ 12 }} {{ "text" }} { amount } {{', []],
  ])('%s', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });
});

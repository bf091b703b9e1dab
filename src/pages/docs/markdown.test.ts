import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '#pages/docs/markdown.ts';

const htmlOf = (text: string) => renderMarkdown(text).html.trim();

describe('a page that is written in Markdown', () => {
  it('has its first heading as title, and an anchor on each other one, in which equal headings differ', () => {
    const page = renderMarkdown('# Templates\n\n## What `usage_count` counts\n\n## Who? When?\n\n### Who? When?\n');
    expect(page.title).toBe('Templates');
    expect(page.headings).toEqual([
      { level: 2, id: 'what-usage_count-counts', text: 'What usage_count counts' },
      { level: 2, id: 'who-when', text: 'Who? When?' },
      { level: 3, id: 'who-when-1', text: 'Who? When?' },
    ]);
    expect(page.html).toContain(
      '<h2 id="what-usage_count-counts"><a class="anchor" href="#what-usage_count-counts">What <code>usage_count</code> counts</a></h2>',
    );
    expect(page.html).not.toContain('<h1');
  });

  it('leads to other pages, keeps the words of a link to a file that is none, and leaves other links alone', () => {
    expect(htmlOf('[a](events.md#a-hook) [b](decisions/0044-x.md) [c](https://example.com)')).toBe(
      '<p><a href="/docs/events#a-hook">a</a> b <a href="https://example.com">c</a></p>',
    );
  });

  it('shows a picture in both schemes', () => {
    const html = htmlOf('![A “form”](../src/web/public/pictures/line.light.webp)');
    expect(html).toContain('<img class="only-light" src="/pictures/line.light.webp"');
    expect(html).toContain('<img class="only-dark" src="/pictures/line.dark.webp"');
    expect(html).toContain('alt="A “form”"');
  });

  it('ends each table with the element that shows it', () => {
    expect(htmlOf('| a |\n|---|\n| b |').replaceAll('\n', '')).toBe(
      '<div class="table" role="group" aria-label="Table" tabindex="0"><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table><span class="table-end" hidden></span></div>',
    );
  });

  it('takes no html from a file', () => {
    expect(htmlOf('<script>alert(1)</script>\n\n```\n<b>\n```')).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<pre tabindex="0"><code>&lt;b&gt;\n</code></pre>',
    );
  });

  it.each([
    [
      '- It is sent. (`src/a.test.ts`: “one”, “two”; `e2e/b.test.ts`: “three”)',
      'It is sent.<span class="proof"> (<code>src/a.test.ts</code>: “one”, “two”; <code>e2e/b.test.ts</code>: “three”)</span>',
    ],
    [
      '- Counted. `src/a.test.ts`: “one”. No plan is refused it',
      'Counted.<span class="proof"> <code>src/a.test.ts</code>: “one”.</span> No plan is refused it',
    ],
  ])('marks the tests that it cites: %s', (text, html) => {
    const page = renderMarkdown(text);
    expect(page.html).toContain(html);
    expect(page.hasProofs).toBe(true);
  });

  it('can be searched by section', () => {
    const { sections } = renderMarkdown('# T\n\nFirst `code`.\n\n## Two\n\n| a | b |\n|---|---|\n| c | d |\n');
    expect(sections).toEqual([
      { heading: null, text: 'First code. ' },
      { heading: { level: 2, id: 'two', text: 'Two' }, text: 'a b c d ' },
    ]);
  });
});

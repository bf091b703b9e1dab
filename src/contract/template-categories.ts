import { z } from 'zod';
import { Empty, Id, InstantText, Page, RequiredName, Text } from '#contract/common.ts';
import { del, get, patch, post } from '#contract/route.ts';

/** The preset colours with their names; the first is the default. */
export const categoryColors = [
  { hex: '#3b82f6', name: 'Blue' },
  { hex: '#ef4444', name: 'Red' },
  { hex: '#f97316', name: 'Orange' },
  { hex: '#f59e0b', name: 'Amber' },
  { hex: '#eab308', name: 'Yellow' },
  { hex: '#84cc16', name: 'Lime' },
  { hex: '#22c55e', name: 'Green' },
  { hex: '#10b981', name: 'Emerald' },
  { hex: '#14b8a6', name: 'Teal' },
  { hex: '#06b6d4', name: 'Cyan' },
  { hex: '#0ea5e9', name: 'Sky' },
  { hex: '#6366f1', name: 'Indigo' },
  { hex: '#8b5cf6', name: 'Violet' },
  { hex: '#a855f7', name: 'Purple' },
  { hex: '#d946ef', name: 'Fuchsia' },
  { hex: '#ec4899', name: 'Pink' },
  { hex: '#f43f5e', name: 'Rose' },
] as const;
export type CategoryColor = (typeof categoryColors)[number]['hex'];

export const CategoryColor = z.enum(
  categoryColors.map(({ hex }) => hex),
  { error: `must be one of the preset colours, such as ${categoryColors[0].hex}` },
);

export const categoryLimits = { name: 100, description: 500, perWorkspace: 1_000 } as const;

export const TemplateCategory = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  description: z.string(),
  color: CategoryColor,
  /** The number of templates in the category. */
  template_count: z.number().int(),
  created_at: InstantText,
  updated_at: InstantText,
});
export type TemplateCategory = z.output<typeof TemplateCategory>;

const CategoryFields = z.strictObject({
  name: RequiredName(categoryLimits.name, { missing: 'Please provide a category name' }),
  description: Text(categoryLimits.description),
  color: CategoryColor,
});
export const TemplateCategoryInput = CategoryFields.extend({
  description: CategoryFields.shape.description.default(''),
  color: CategoryColor.default(categoryColors[0].hex),
});
export type TemplateCategoryInput = z.output<typeof TemplateCategoryInput>;

export const templateCategoryRoutes = {
  listTemplateCategories: get('/api/template-categories', {
    access: 'member',
    summary: 'List the categories of templates, by name',
    answer: Page(TemplateCategory),
  }),
  createTemplateCategory: post('/api/template-categories', {
    access: 'member',
    summary: 'Add a category',
    body: TemplateCategoryInput,
    answer: TemplateCategory,
    status: 201,
  }),
  updateTemplateCategory: patch('/api/template-categories/:id', {
    access: 'member',
    summary: 'Rename, describe or recolour a category',
    // Fields without defaults: an update keeps what it leaves out.
    body: CategoryFields.partial(),
    answer: TemplateCategory,
  }),
  deleteTemplateCategory: del('/api/template-categories/:id', {
    access: 'member',
    summary: 'Delete a category; its templates stay, without one',
    answer: Empty,
  }),
};

CREATE TABLE `agent_processes` (
	`pid` integer PRIMARY KEY NOT NULL,
	`start_time` text NOT NULL,
	`session_id` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`run_id` text NOT NULL,
	`item` integer NOT NULL,
	`role` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `idx_messages_session` ON `messages` (`session_id`,`item`);--> statement-breakpoint
CREATE INDEX `idx_messages_run` ON `messages` (`run_id`);--> statement-breakpoint
CREATE TABLE `permissions` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`run_id` text NOT NULL,
	`tool_call_id` text,
	`title` text NOT NULL,
	`options` text NOT NULL,
	`created_at` integer NOT NULL,
	`option_id` text,
	`answered_at` integer,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `idx_permissions_run` ON `permissions` (`run_id`);--> statement-breakpoint
CREATE INDEX `idx_permissions_session` ON `permissions` (`session_id`);--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`item` integer NOT NULL,
	`status` text NOT NULL,
	`external` integer NOT NULL,
	`prompt` text NOT NULL,
	`workspace` text NOT NULL,
	`baseline` text NOT NULL,
	`baseline_ms` integer,
	`baseline_files` integer,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`stop_reason` text,
	`error` text,
	`plan` text,
	`request` text,
	`completion` text,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "runs_status" CHECK("runs"."status" in ('running','completed','failed','cancelled','interrupted'))
);
--> statement-breakpoint
CREATE INDEX `idx_runs_session` ON `runs` (`session_id`,`item`);--> statement-breakpoint
CREATE INDEX `idx_runs_status` ON `runs` (`status`);--> statement-breakpoint
CREATE INDEX `idx_runs_started` ON `runs` (`started_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`workspace` text NOT NULL,
	`workspace_kind` text NOT NULL,
	`agent` text,
	`outside_key` text,
	`resume_token` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_item` integer DEFAULT 0 NOT NULL,
	`reserved_event_id` integer DEFAULT 0 NOT NULL,
	`request` text
);
--> statement-breakpoint
CREATE INDEX `idx_sessions_updated` ON `sessions` (`updated_at`);--> statement-breakpoint
CREATE INDEX `idx_sessions_workspace` ON `sessions` (`workspace`);--> statement-breakpoint
CREATE UNIQUE INDEX `idx_sessions_outside_key` ON `sessions` (`outside_key`);--> statement-breakpoint
CREATE TABLE `shares` (
	`id` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`run_id` text NOT NULL,
	`include_prompt` integer NOT NULL,
	`include_answer` integer NOT NULL,
	`exclude_paths` text NOT NULL,
	`reveal_paths` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idx_shares_token` ON `shares` (`token`);--> statement-breakpoint
CREATE INDEX `idx_shares_run` ON `shares` (`run_id`);--> statement-breakpoint
CREATE TABLE `tool_calls` (
	`id` text NOT NULL,
	`run_id` text NOT NULL,
	`session_id` text NOT NULL,
	`item` integer NOT NULL,
	`title` text NOT NULL,
	`tool` text,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`locations` text NOT NULL,
	`input` text,
	`output` text,
	`output_bytes` integer DEFAULT 0 NOT NULL,
	`meta` text,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`request` text,
	`completion` text,
	PRIMARY KEY(`run_id`, `id`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `idx_tool_calls_session` ON `tool_calls` (`session_id`,`item`);--> statement-breakpoint
CREATE TABLE `workspace_run_change_files` (
	`id` text PRIMARY KEY NOT NULL,
	`change_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`path` text NOT NULL,
	`path_quoted` integer DEFAULT false NOT NULL,
	`display_path` text NOT NULL,
	`old_path` text,
	`change_type` text NOT NULL,
	`additions` integer DEFAULT 0 NOT NULL,
	`deletions` integer DEFAULT 0 NOT NULL,
	`size_before` integer,
	`size_after` integer,
	`mode_before` text,
	`mode_after` text,
	`kind_before` text,
	`kind_after` text,
	`patch_bytes` integer DEFAULT 0 NOT NULL,
	`truncated` integer DEFAULT false NOT NULL,
	`binary` integer DEFAULT false NOT NULL,
	`oversized` integer DEFAULT false NOT NULL,
	`line_endings` text,
	`ignored` integer DEFAULT false NOT NULL,
	`origin` text NOT NULL,
	`evidence` text NOT NULL,
	`tool_call_ids` text NOT NULL,
	`content_before` text,
	`content_after` text,
	`created_at` integer NOT NULL,
	`patch` text,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`change_id`) REFERENCES `workspace_run_changes`(`change_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `idx_workspace_run_change_files_change` ON `workspace_run_change_files` (`change_id`,`position`);--> statement-breakpoint
CREATE INDEX `idx_workspace_run_change_files_session` ON `workspace_run_change_files` (`session_id`);--> statement-breakpoint
CREATE INDEX `idx_workspace_run_change_files_path` ON `workspace_run_change_files` (`path`);--> statement-breakpoint
CREATE TABLE `workspace_run_changes` (
	`change_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`run_id` text NOT NULL,
	`item` integer NOT NULL,
	`source` text DEFAULT 'run' NOT NULL,
	`tool_call_id` text,
	`generation` integer DEFAULT 1 NOT NULL,
	`workspace` text NOT NULL,
	`workspace_kind` text DEFAULT 'unknown' NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`changed_count` integer DEFAULT 0 NOT NULL,
	`added_count` integer DEFAULT 0 NOT NULL,
	`modified_count` integer DEFAULT 0 NOT NULL,
	`deleted_count` integer DEFAULT 0 NOT NULL,
	`renamed_count` integer DEFAULT 0 NOT NULL,
	`binary_count` integer DEFAULT 0 NOT NULL,
	`additions` integer DEFAULT 0 NOT NULL,
	`deletions` integer DEFAULT 0 NOT NULL,
	`truncated` integer DEFAULT false NOT NULL,
	`total_patch_bytes` integer DEFAULT 0 NOT NULL,
	`gaps` text NOT NULL,
	`overlaps` text NOT NULL,
	`shared_with` text NOT NULL,
	`git` text,
	`kept` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `idx_workspace_run_changes_session` ON `workspace_run_changes` (`session_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `idx_workspace_run_changes_item` ON `workspace_run_changes` (`session_id`,`item`);--> statement-breakpoint
CREATE INDEX `idx_workspace_run_changes_run` ON `workspace_run_changes` (`run_id`);--> statement-breakpoint
CREATE INDEX `idx_workspace_run_changes_created` ON `workspace_run_changes` (`created_at`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`root` text PRIMARY KEY NOT NULL,
	`snapshot` text NOT NULL,
	`run_id` text,
	`taken_at` integer NOT NULL
);

# fullbore: `make help` lists the targets.
GO ?= go

.DEFAULT_GOAL := help
.PHONY: help run build test lint bench verify soak chaos microbench cross clean deps

## help: this list
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## run: open the screen with load running
run:
	$(GO) run .

## build: build bin/fullbore
build:
	$(GO) build -o bin/fullbore .

## test: all tests, installing redis-server, redis-benchmark and tmux when missing
test: lint
	@sh .ci/deps redis-benchmark
	$(GO) test -race -timeout 9m ./...

## lint: gofmt, go vet and staticcheck
lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "not gofmt'd: $$unformatted" >&2; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags bench . && $(GO) vet -tags verify .
	$(GO) tool staticcheck ./...

## bench: compare with redis-benchmark on a private server (15 to 20 minutes; BENCH_ONLY='^get P=1 ' for some rows)
bench:
	@sh .ci/deps redis-benchmark
	$(GO) test -tags bench -run '^TestBench$$' -count=1 -timeout 60m -v .

## verify: measure what fullbore claims of its own figures (Linux, a quiet machine, about 3 minutes)
verify:
	@sh .ci/deps redis-benchmark
	$(GO) test -tags verify -run '^TestVerify$$' -count=1 -timeout 60m -v .

## soak: an hour under changes, errors and lost connections, with a line a minute on memory and files (SOAK=10m for less)
SOAK ?= 1h
soak: deps
	SOAK=$(SOAK) $(GO) test -run '^TestSoak$$' -count=1 -timeout 0 -v .

## chaos: a minute of a server that fails in every way while knobs turn, counts compared (CHAOS=10m, CHAOS_SEED=1)
CHAOS ?= 60s
chaos: deps
	CHAOS=$(CHAOS) $(GO) test -race -run '^TestChaos' -count=1 -timeout 0 -v .

## microbench: benchmarks of the hot path and of the screen's traffic
microbench: deps
	$(GO) test -run '^$$' -bench . -benchmem ./...

## cross: build for linux, darwin and windows on amd64 and arm64
cross:
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "build $$os/$$arch"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -o /dev/null . || exit 1; \
	done; done

## clean: remove what build made
clean:
	rm -rf bin bench.out

deps:
	@sh .ci/deps

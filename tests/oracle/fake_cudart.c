/* A stand-in CUDA runtime: one card that computes nothing, so that eager torch on fake tensors
   selects the operators of a real card (flash attention, autocast lists) on a machine without one. */
#include <cuda_runtime_api.h>
#include <string.h>
#include <stdlib.h>
#include <dlfcn.h>
#define OK return cudaSuccess
cudaError_t cudaGetDeviceCount(int*n){*n=1;OK;}
cudaError_t cudaGetDevice(int*d){*d=0;OK;}
cudaError_t cudaSetDevice(int d){OK;}
cudaError_t cudaDriverGetVersion(int*v){*v=13000;OK;}
cudaError_t cudaRuntimeGetVersion(int*v){*v=13000;OK;}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp*p,int d){memset(p,0,sizeof *p);strcpy(p->name,"stand-in sm90");const char*c=getenv("FAKE_CAPABILITY");int sm=c?atoi(c):90;p->major=sm/10;p->minor=sm%10;p->multiProcessorCount=132;p->warpSize=32;p->totalGlobalMem=(size_t)1<<46;p->maxThreadsPerBlock=1024;p->maxThreadsPerMultiProcessor=2048;p->sharedMemPerBlock=49152;p->sharedMemPerBlockOptin=232448;p->regsPerBlock=65536;p->regsPerMultiprocessor=65536;p->l2CacheSize=50<<20;p->maxGridSize[0]=2147483647;p->maxGridSize[1]=65535;p->maxGridSize[2]=65535;p->maxThreadsDim[0]=1024;p->maxThreadsDim[1]=1024;p->maxThreadsDim[2]=64;OK;}
cudaError_t cudaDeviceGetStreamPriorityRange(int*a,int*b){*a=0;*b=-3;OK;}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t*s,unsigned f,int p){*s=malloc(8);OK;}
cudaError_t cudaStreamIsCapturing(cudaStream_t s,enum cudaStreamCaptureStatus*c){*c=cudaStreamCaptureStatusNone;OK;}
cudaError_t cudaStreamQuery(cudaStream_t s){OK;}
cudaError_t cudaStreamSynchronize(cudaStream_t s){OK;}
cudaError_t cudaStreamWaitEvent(cudaStream_t s,cudaEvent_t e,unsigned f){OK;}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*e,unsigned f){*e=malloc(8);OK;}
cudaError_t cudaEventRecord(cudaEvent_t e,cudaStream_t s){OK;}
cudaError_t cudaEventQuery(cudaEvent_t e){OK;}
cudaError_t cudaEventDestroy(cudaEvent_t e){OK;}
cudaError_t cudaEventSynchronize(cudaEvent_t e){OK;}
cudaError_t cudaDeviceSynchronize(void){OK;}
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode*m){OK;}
cudaError_t cudaGetLastError(void){OK;}
cudaError_t cudaPeekAtLastError(void){OK;}
cudaError_t cudaMemGetInfo(size_t*f,size_t*t){*f=*t=(size_t)1<<46;OK;}
cudaError_t cudaMalloc(void**p,size_t n){*p=malloc(n?n:1);OK;}
cudaError_t cudaFree(void*p){free(p);OK;}
cudaError_t cudaMemcpy(void*d,const void*s,size_t n,enum cudaMemcpyKind k){memcpy(d,s,n);OK;}
cudaError_t cudaMemcpyAsync(void*d,const void*s,size_t n,enum cudaMemcpyKind k,cudaStream_t st){memcpy(d,s,n);OK;}
static int ctx_state(int d,unsigned*f,int*a){if(f)*f=0;*a=0;return 0;}
static int generic(){return 0;}
cudaError_t cudaGetDriverEntryPointByVersion(const char*s,void**f,unsigned v,unsigned long long fl,enum cudaDriverEntryPointQueryResult*r){*f=strstr(s,"PrimaryCtxGetState")?(void*)ctx_state:(void*)generic;if(r)*r=cudaDriverEntryPointSuccess;OK;}
